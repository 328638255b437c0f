import type { Priority } from '@commservice/contracts';

/** Writes messages where the dispatchers under measurement take them from. */
export interface Writer<Message> {
  /** Resolves when the message is safe there; rejects with a BenchFault when that is not known in time. */
  write(priority: Priority, message: Message): Promise<void>;
  close(): Promise<void>;
}
