import { CHANNELS, PRIORITIES } from '@commservice/contracts';

/** `brand` is left out where a lane serves all brands. Spread a `Lane` or a message's fields. */
export const lane = { channel: CHANNELS, brand: 'optional', priority: PRIORITIES } as const;
/** A consumer group. Those of the projector and of redrive have no channel. */
export const group = { group: 'text', channel: 'optional', brand: 'optional', priority: PRIORITIES } as const;
/** What lanes compete for: an account's name. */
export const scope = { scope: 'text', priority: PRIORITIES } as const;
export const call = { ...lane, account: 'text' } as const;

/** What a wait was for. */
export const WAIT_CAUSES = ['token', 'gate', 'hold', 'slot', 'provider', 'retry', 'paused'] as const;
/** What ended the filling of a batch. */
export const BATCH_CLOSED_BY = ['size', 'bytes', 'tokens', 'window', 'drained'] as const;
/** `SendResult.kind`. */
export const CALL_OUTCOMES = [
  'accepted',
  'retryable',
  'unknown',
  'throttled',
  'rejected',
  'misconfigured',
] as const;
/** `Outcome.kind`. */
export const RECORD_OUTCOMES = [
  'sent',
  'duplicate',
  'retry',
  'dead-letter',
  'expired',
  'unconfirmed',
] as const;
/** `unknown`: the broker's acknowledgement was lost, so the record may or may not be there. */
export const PRODUCE_RESULTS = ['acked', 'refused', 'unknown'] as const;
/** `memory`: claimed without asking Redis; `unreachable`: Redis did not answer in time. */
export const CLAIM_RESULTS = ['claimed', 'duplicate', 'memory', 'unreachable'] as const;

/** Which sort of topic a record went to. */
export const TOPIC_KINDS = ['lane', 'retry', 'event', 'dlq', 'parked'] as const;
