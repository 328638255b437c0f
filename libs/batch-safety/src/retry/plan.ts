import { retryTierAfter, unreachable, type Priority, type RetryTier } from '@commservice/contracts';

/**
 * Why an attempt is to be repeated. `retryable`: certainly not sent. `unknown`: may have been sent, and may be repeated
 * (promise 7). `throttled` and `outage`: the account's or the vendor's state, not the message's; they use up no attempt.
 */
export const RETRY_CAUSES = ['retryable', 'unknown', 'throttled', 'outage'] as const;
export type RetryCause = (typeof RETRY_CAUSES)[number];

export interface RetryInput {
  readonly priority: Priority;
  readonly cause: RetryCause;
  /** Failed attempts before this one (`attemptsOf`). */
  readonly attempts: number;
  readonly nowEpochMs: number;
  /** Epoch ms of the message. */
  readonly expiresAt: number;
}

export type RetryPlan =
  | { kind: 'retry'; tier: RetryTier; attempts: number; dueAtEpochMs: number }
  /** All attempts of the class are used up: dead letter. */
  | { kind: 'exhausted'; attempts: number }
  /** It would be due only when its life is over: expired, without waiting for it. */
  | { kind: 'expires-first'; attempts: number; dueAtEpochMs: number };

function counts(cause: RetryCause): boolean {
  switch (cause) {
    case 'retryable':
    case 'unknown':
      return true;
    case 'throttled':
    case 'outage':
      return false;
    default:
      return unreachable(cause);
  }
}

/** Where a failed record goes next: the tier its class plans for that attempt, never past `expiresAt`. */
export function planRetry(input: RetryInput): RetryPlan {
  const attempts = input.attempts + (counts(input.cause) ? 1 : 0);
  // An attempt that does not count waits in the tier the last counted one led to.
  const tier = retryTierAfter(input.priority, Math.max(1, attempts));
  if (!tier) return { kind: 'exhausted', attempts };
  const dueAtEpochMs = input.nowEpochMs + tier.delayMs;
  if (dueAtEpochMs >= input.expiresAt) return { kind: 'expires-first', attempts, dueAtEpochMs };
  return { kind: 'retry', tier, attempts, dueAtEpochMs };
}
