import type { SendResult } from '@commservice/contracts';
import type { Breaker } from './breaker.js';

/** What a call says of its account. `still-ill`: not well if it was not well before, else nothing. */
export type Sign = 'well' | 'ill' | 'still-ill' | 'none';

/** Faults on our side of the wire: they say nothing about the vendor. `timeout` = no connection of ours came free. */
const OUR_FAULTS = new Set(['aborted', 'draining', 'expired', 'no_connection', 'not_started', 'timeout']);

/** Whether the account fails as a whole; a fault of a sender or a recipient is the record's own. */
export function faultSign(result: SendResult): Sign {
  if (neverAsked(result)) return 'none';
  if (result.kind === 'unknown') return 'still-ill';
  if (result.kind === 'retryable') return 'ill';
  return result.kind === 'misconfigured' && result.scope === 'account' ? 'ill' : 'well';
}

/** Whether the vendor answers at all. */
export function silenceSign(result: SendResult): Sign {
  if (neverAsked(result)) return 'none';
  if (result.kind === 'unknown') return 'ill';
  // it could not be reached: it does not answer, and has not taken a call that it left unanswered either
  return result.kind === 'retryable' && result.error.status === undefined ? 'still-ill' : 'well';
}

/** Whether the vendor looked at a message: the account itself is in order. */
export const judgesMessages = (result: SendResult): boolean =>
  result.kind === 'accepted' ||
  (result.kind === 'rejected' && result.error.status !== undefined && !result.error.unmapped);

/** Tells a breaker how a call ended. Each call must be told: one that says nothing may have been the probe. */
export function noteAt(breaker: Breaker, sign: Sign, nowMs: number, record?: string): void {
  if (sign === 'none' || (sign === 'still-ill' && !breaker.open)) return breaker.released();
  breaker.note(sign === 'well', nowMs, record);
}

/** It ended on our side of the wire: no connection of ours, or a message that cannot be written as a request. */
function neverAsked(result: SendResult): boolean {
  if (result.kind === 'rejected') return result.error.status === undefined;
  return result.kind === 'retryable' && OUR_FAULTS.has(result.error.code);
}
