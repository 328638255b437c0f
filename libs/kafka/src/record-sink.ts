import type { FetchedRecord } from './record.js';

/**
 * Where a lane consumer puts what it fetched: the port that keeps fetching apart from sending. The pipeline passes a bounded
 * queue. Called only from the consumer's fetch loop and rebalance handling; every method is synchronous and must not throw.
 */
export interface RecordSink {
  /** Takes the records of one fetched batch, in offset order. The bound is high water plus one fetch. */
  offer(records: readonly FetchedRecord[]): void;
  /** At or above high water for this topic: the consumer pauses the partitions it fetches from it. */
  isFull(topic: string): boolean;
  /** The generation changed: forget every waiting record; they are fetched again by whoever owns them now. */
  dropAll(): void;
}
