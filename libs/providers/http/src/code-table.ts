import type { LimitScope } from '@commservice/contracts';

/** What one of a vendor's codes means. */
export type CodeMeaning =
  | { readonly kind: 'rejected'; readonly terminalFor: 'message' | 'recipient' }
  /** The vendor says it did not take the message, and may later. */
  | { readonly kind: 'retryable' }
  | { readonly kind: 'throttled'; readonly scope: LimitScope }
  | { readonly kind: 'misconfigured'; readonly scope: 'account' | 'sender' };

/** A channel's vendor codes. A code that is not in it is reported as unmapped: see `classify`. */
export type CodeTable = Readonly<Record<string, CodeMeaning>>;

export const REJECTED_MESSAGE: CodeMeaning = { kind: 'rejected', terminalFor: 'message' };
export const REJECTED_RECIPIENT: CodeMeaning = { kind: 'rejected', terminalFor: 'recipient' };
export const RETRYABLE: CodeMeaning = { kind: 'retryable' };
export const THROTTLED_RECIPIENT: CodeMeaning = { kind: 'throttled', scope: 'recipient' };
export const THROTTLED_SENDER: CodeMeaning = { kind: 'throttled', scope: 'sender' };
export const MISCONFIGURED_ACCOUNT: CodeMeaning = { kind: 'misconfigured', scope: 'account' };
export const MISCONFIGURED_SENDER: CodeMeaning = { kind: 'misconfigured', scope: 'sender' };

/** Codes of the protocol itself, the same on every channel: our request was not what the vendor expects. */
export const PROTOCOL_CODES: CodeTable = {
  malformed: REJECTED_MESSAGE,
  incomplete: REJECTED_MESSAGE,
  too_large: REJECTED_MESSAGE,
};
