import { z } from 'zod';

/** Where in the path a record failed. */
export const FAILURE_STAGES = [
  'decompress',
  'deserialize',
  'validate',
  'unseal',
  'provider',
  'retry',
] as const;
export const failureStageSchema = z.enum(FAILURE_STAGES);
export type FailureStage = z.infer<typeof failureStageSchema>;

/** The closed list of what kind of fault it was. */
export const FAILURE_CLASSES = [
  'record-fault', // the record itself is bad: undecodable, invalid, unsealable
  'rejected-message', // the provider refuses this message for good
  'rejected-recipient', // the provider refuses this recipient for good
  'misconfigured', // credentials or configuration of the account
  'provider-fault', // retryable fault that used up its attempts
  'unknown-effect', // the call may have had an effect and could not be repeated safely
] as const;
export const failureClassSchema = z.enum(FAILURE_CLASSES);
export type FailureClass = z.infer<typeof failureClassSchema>;

/** What went wrong, in fields that are safe to log and store: no address, text or code. */
export interface Failure {
  readonly stage: FailureStage;
  readonly class: FailureClass;
  /** The vendor's or our own short code, for example `invalid_number`. */
  readonly code: string;
  /** A plain sentence, redacted, at most 1 KiB. */
  readonly detail: string;
}

/**
 * What became of one record. One outcome per record; an offset moves only past records whose outcome is stored outside
 * the process. Every `switch` over it is exhaustive.
 */
export type Outcome =
  | { kind: 'sent'; account: string; providerId: string; receiptExpected: boolean }
  /** Claimed by an earlier send of the same generation: nothing is sent. */
  | { kind: 'duplicate' }
  | { kind: 'retry'; tier: string; attempts: number; failure: Failure; account?: string }
  | { kind: 'dead-letter'; failure: Failure; attempts: number; account?: string; disposition: Disposition }
  | { kind: 'expired'; stage: 'queue' | 'retry' }
  /** A send of unknown effect on an account without idempotency: P2 and P3 are not repeated. */
  | { kind: 'unconfirmed'; account: string; code: string };

export const DISPOSITIONS = ['poison', 'retries_exhausted', 'rejected', 'unreadable_batch'] as const;
export const dispositionSchema = z.enum(DISPOSITIONS);
export type Disposition = z.infer<typeof dispositionSchema>;

/** Marks the end of an exhaustive switch; reaching it is a bug. */
export function unreachable(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`);
}
