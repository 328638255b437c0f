import type { Priority } from '@commservice/contracts';
import type { OutgoingRecord } from '@commservice/kafka';

/** One message, ready to be written. */
export interface Composed {
  readonly id: string;
  readonly record: OutgoingRecord;
}

/** The dispatchers under measurement: their processes, and how a message for them is written. */
export interface Subject {
  /** Where each class goes. */
  readonly topics: Readonly<Record<Priority, string>>;
  /** Accepts the next message of a class. */
  compose(priority: Priority): Composed;
  /** Processes that deliver; throws a BenchFault when one of them has ended. */
  pids(): readonly number[];
  close(): Promise<void>;
}
