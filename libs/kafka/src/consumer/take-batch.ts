import type { Batch } from 'kafkajs';
import type { FetchedRecord } from '../record.js';
import { toRecord } from './decode-record.js';
import type { PartitionLedger } from './partition-ledger.js';

/** Notes a fetched batch in the ledger and decodes it; records that were settled before are left out. */
export function takeBatch(ledger: PartitionLedger, batch: Batch): FetchedRecord[] {
  const { topic, partition } = batch;
  const tracker = ledger.tracker(topic, partition);
  const freshFrom = (): number => ledger.freshFrom(topic, partition);
  const records: FetchedRecord[] = [];
  for (const message of batch.messages) {
    if (tracker.register(Number(message.offset)))
      records.push(toRecord(topic, partition, message, freshFrom));
  }
  tracker.registerEnd(Number(batch.lastOffset()) + 1);
  ledger.setEnd(topic, partition, Number(batch.highWatermark));
  return records;
}
