import { planRetry, type RetryCause } from '@commservice/batch-safety';
import {
  unreachable,
  type Failure,
  type FailureClass,
  type Outcome,
  type ProviderError,
  type SendResult,
} from '@commservice/contracts';
import type { LaneItem } from '../lane-item.js';

/** What to do with a record after one attempt. */
export type Verdict =
  | { kind: 'outcome'; outcome: Outcome }
  /**
   * Not this record's fault and certainly not sent: it stays first in line, for another account where there is one, else
   * while this one backs off. Not an attempt.
   */
  | { kind: 'again' };

/** What decides beside the provider's answer. */
export interface VerdictContext {
  readonly account: string;
  /** The vendor recognises a repeated send by its key. */
  readonly idempotent: boolean;
  /** The account fails, is silent or refuses us as a whole: the fault is the provider's, not the record's. */
  readonly providerDown: boolean;
  /** The record may go to another account at once. */
  readonly otherAccount: boolean;
  readonly nowEpochMs: number;
}

type VendorError = Pick<ProviderError, 'code' | 'message'>;

const failureOf = (cls: FailureClass, error: VendorError): Failure => ({
  stage: 'provider',
  class: cls,
  code: error.code,
  detail: error.message,
});

/**
 * How often a record tries an account that is down before it lets others try. The pauses double from 0.5 to 30 s, so that
 * is after some 90 s for P2 and P3.
 */
const MOST_RETURNS = 8;
const AGAIN: Verdict = { kind: 'again' };
const end = (outcome: Outcome): Verdict => ({ kind: 'outcome', outcome });

/** Its retry tier, or its end when it has none left. */
function later(item: LaneItem, cause: RetryCause, failure: Failure, context: VerdictContext): Verdict {
  const { priority, expiresAt } = item.message;
  const { account, nowEpochMs } = context;
  const plan = planRetry({ priority, cause, attempts: item.attempts, nowEpochMs, expiresAt });
  const { attempts } = plan;
  switch (plan.kind) {
    case 'retry':
      return end({ kind: 'retry', tier: plan.tier.name, attempts, failure, account });
    case 'exhausted':
      return end({ kind: 'dead-letter', failure, attempts, account, disposition: 'retries_exhausted' });
    case 'expires-first':
      return end({ kind: 'expired', stage: 'retry' });
    default:
      return unreachable(plan);
  }
}

/**
 * The outcome of one attempt (providers.md §1, promise 7). A send of unknown effect is repeated with the same key where the
 * account has one; where it has none, P1 is repeated and P2/P3 become `unconfirmed`. While the account is down, no attempt
 * counts: an outage fills no dead-letter topic.
 */
export function verdictOf(result: SendResult, item: LaneItem, context: VerdictContext): Verdict {
  const { account, providerDown, otherAccount } = context;
  switch (result.kind) {
    case 'accepted': {
      const providerId = result.providerIds[0] ?? '';
      return end({ kind: 'sent', account, providerId, receiptExpected: result.receipt === 'expected' });
    }
    case 'throttled':
      // a narrow limit is this record's own: it steps aside, uncounted, and holds up nobody behind it
      if (result.scope === 'account') return AGAIN;
      return later(item, 'throttled', failureOf('provider-fault', result.error), context);
    case 'misconfigured':
      return misconfigured(result, item, context);
    case 'retryable': {
      if (otherAccount || (providerDown && item.returns < MOST_RETURNS)) return AGAIN;
      // without a status nothing was said about the record: the vendor was not reached
      const cause = providerDown || result.error.status === undefined ? 'outage' : 'retryable';
      return later(item, cause, failureOf('provider-fault', result.error), context);
    }
    case 'unknown': {
      if (!context.idempotent && item.message.priority !== 'P1')
        return end({ kind: 'unconfirmed', account, code: result.error.code });
      const cause = providerDown ? 'outage' : 'unknown';
      return later(item, cause, failureOf('unknown-effect', result.error), context);
    }
    case 'rejected':
      return rejected(result, item, context);
    default:
      return unreachable(result);
  }
}

function misconfigured(
  { scope, error }: Extract<SendResult, { kind: 'misconfigured' }>,
  item: LaneItem,
  context: VerdictContext,
): Verdict {
  const ofAccount = scope === 'account';
  if (ofAccount && context.otherAccount) return AGAIN;
  const down = ofAccount && context.providerDown;
  // first in line once: if it is the record after all, it must not be the one that tries the account for ever
  if (down && !failedBefore(item)) return AGAIN;
  return later(item, down ? 'outage' : 'retryable', failureOf('misconfigured', error), context);
}

/** Whether the account of its latest call has failed it before while it stood first in line. */
const failedBefore = (item: LaneItem): boolean => ((item.avoid >> item.route) & 1) === 1;

function rejected(
  { terminalFor, error }: Extract<SendResult, { kind: 'rejected' }>,
  item: LaneItem,
  context: VerdictContext,
): Verdict {
  // a code that no table knows: the vendor may have meant something passing, so it gets one more try
  if (error.unmapped && item.attempts === 0)
    return later(item, 'retryable', failureOf('rejected-message', error), context);
  const failure = failureOf(terminalFor === 'message' ? 'rejected-message' : 'rejected-recipient', error);
  const { account } = context;
  return end({ kind: 'dead-letter', failure, attempts: item.attempts + 1, account, disposition: 'rejected' });
}
