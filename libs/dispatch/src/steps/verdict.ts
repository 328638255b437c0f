import { planRetry, type RetryCause } from '@commservice/batch-safety';
import {
  unreachable,
  type Failure,
  type FailureClass,
  type Outcome,
  type SendResult,
} from '@commservice/contracts';
import type { LaneItem } from '../lane-item.js';

/** What to do with a record after one attempt. */
export type Verdict =
  | { kind: 'outcome'; outcome: Outcome }
  /** Not this record's fault and certainly not sent: it stays first in line while the account backs off. Not an attempt. */
  | { kind: 'again' };

/** What decides beside the provider's answer. */
export interface VerdictContext {
  readonly account: string;
  /** The vendor recognises a repeated send by its key. */
  readonly idempotent: boolean;
  /** The account's breaker is open: the fault is the provider's, not the record's. */
  readonly providerDown: boolean;
  readonly nowEpochMs: number;
}

const failureOf = (cls: FailureClass, error: { code: string; message: string }): Failure => ({
  stage: 'provider',
  class: cls,
  code: error.code,
  detail: error.message,
});

function retryOrEnd(item: LaneItem, cause: RetryCause, failure: Failure, context: VerdictContext): Outcome {
  const { priority, expiresAt } = item.message;
  const { account, nowEpochMs } = context;
  const plan = planRetry({ priority, cause, attempts: item.attempts, nowEpochMs, expiresAt });
  switch (plan.kind) {
    case 'retry':
      return { kind: 'retry', tier: plan.tier.name, attempts: plan.attempts, failure, account };
    case 'exhausted':
      return {
        kind: 'dead-letter',
        failure,
        attempts: plan.attempts,
        account,
        disposition: 'retries_exhausted',
      };
    case 'expires-first':
      return { kind: 'expired', stage: 'retry' };
    default:
      return unreachable(plan);
  }
}

/**
 * The outcome of one attempt (providers.md §1, promise 7). A send of unknown effect is repeated with the same key where the
 * account has one; where it has none, P1 is repeated and P2/P3 become `unconfirmed`.
 */
export function verdictOf(result: SendResult, item: LaneItem, context: VerdictContext): Verdict {
  const { account } = context;
  const end = (outcome: Outcome): Verdict => ({ kind: 'outcome', outcome });
  switch (result.kind) {
    case 'accepted':
      return end({
        kind: 'sent',
        account,
        providerId: result.providerIds[0] ?? '',
        receiptExpected: result.receipt === 'expected',
      });
    case 'throttled':
      // a narrow limit is this record's own: it steps aside, uncounted, and holds up nobody behind it
      if (result.scope === 'account') return { kind: 'again' };
      return end(retryOrEnd(item, 'throttled', failureOf('provider-fault', result.error), context));
    case 'misconfigured':
      if (result.scope === 'account') return { kind: 'again' };
      return end(retryOrEnd(item, 'retryable', failureOf('misconfigured', result.error), context));
    case 'retryable':
      if (context.providerDown) return { kind: 'again' };
      return end(retryOrEnd(item, 'retryable', failureOf('provider-fault', result.error), context));
    case 'unknown':
      if (!context.idempotent && item.message.priority !== 'P1')
        return end({ kind: 'unconfirmed', account, code: result.error.code });
      return end(retryOrEnd(item, 'unknown', failureOf('unknown-effect', result.error), context));
    case 'rejected': {
      // a code that no table knows: the vendor may have meant something passing, so it gets one more try
      if (result.error.unmapped && item.attempts === 0)
        return end(retryOrEnd(item, 'retryable', failureOf('rejected-message', result.error), context));
      const cls = result.terminalFor === 'message' ? 'rejected-message' : 'rejected-recipient';
      const failure = failureOf(cls, result.error);
      return end({
        kind: 'dead-letter',
        failure,
        attempts: item.attempts + 1,
        account,
        disposition: 'rejected',
      });
    }
    default:
      return unreachable(result);
  }
}
