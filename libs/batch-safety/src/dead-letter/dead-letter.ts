import type { Disposition, Failure, FailureClass, FailureStage, Lane } from '@commservice/contracts';
import type { SourceRecord } from '../record.js';

/** All that a dead letter is made of. */
export interface DeadLetterInput {
  /** As fetched, from the lane topic or one of its retry topics. */
  readonly record: SourceRecord;
  readonly lane: Lane;
  /** Consumer group that gave the record up. */
  readonly group: string;
  readonly failure: Failure;
  /** Attempts made, the last one included. */
  readonly attempts: number;
  readonly disposition: Disposition;
  readonly account?: string;
  /** Brand, when the record could be read. */
  readonly brand?: string;
  /** Version of the running code. */
  readonly build: string;
  readonly nowEpochMs: number;
}

/** What a dead letter says about its failure. */
export interface DeadLetter {
  /** The same failure written twice has the same id. */
  readonly id: string;
  /** Where the record lay when it failed: a lane topic or a retry topic. */
  readonly source: { readonly topic: string; readonly partition: number; readonly offset: number };
  readonly group: string;
  readonly lane: Lane;
  readonly disposition: Disposition;
  readonly stage: FailureStage;
  readonly class: FailureClass;
  readonly code: string;
  readonly message: string;
  readonly fingerprint: string;
  readonly attempts: number;
  /** Epoch ms. */
  readonly failedAt: number;
  readonly build: string;
  readonly brand?: string;
  readonly account?: string;
  /** Epoch ms. */
  readonly originalTimestamp: number;
}

/** A record of a `dlq.*` or `parked.*` topic, read. `fault` names the header at fault, never its value. */
export type ReadDeadLetter =
  { kind: 'dead-letter'; deadLetter: DeadLetter } | { kind: 'unreadable'; fault: string };
