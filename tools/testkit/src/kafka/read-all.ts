import type { KafkaMessage } from 'kafkajs';
import { uniqueName } from '../names.js';
import { rawKafka } from './client.js';
import { until } from '../until.js';

/** One record as it lies in the log. */
export interface StoredRecord {
  readonly partition: number;
  readonly offset: number;
  readonly key: string | null;
  readonly value: Buffer | null;
  /** Values as UTF-8 text. */
  readonly headers: Readonly<Record<string, string>>;
  /** Epoch ms. */
  readonly timestamp: number;
}

function storedOf(partition: number, message: KafkaMessage): StoredRecord {
  const headers = Object.entries(message.headers ?? {}).map(
    ([k, v]) => [k, String(Array.isArray(v) ? v[0] : v)] as const,
  );
  return {
    partition,
    offset: Number(message.offset),
    key: message.key?.toString('utf8') ?? null,
    value: message.value,
    headers: Object.fromEntries(headers),
    timestamp: Number(message.timestamp),
  };
}

/**
 * Everything that is in a topic now, in order of partition and offset. Compressed by anything but gzip it needs the
 * codecs of `@commservice/kafka` (import it first).
 */
export async function readAll(
  topic: string,
  options: { deadlineMs?: number; brokers?: readonly string[] } = {},
): Promise<StoredRecord[]> {
  const kafka = await rawKafka(options.brokers);
  const admin = kafka.admin();
  await admin.connect();
  // a broker that has just come back may not lead its partitions yet
  const ends = await until(() => admin.fetchTopicOffsets(topic), {
    deadlineMs: options.deadlineMs,
    describe: `the offsets of ${topic}`,
  }).finally(() => admin.disconnect());
  const open = new Map(
    ends.filter((e) => Number(e.high) > Number(e.low)).map((e) => [e.partition, Number(e.high)]),
  );
  if (open.size === 0) return [];
  const consumer = kafka.consumer({
    groupId: uniqueName('read-all'),
    allowAutoTopicCreation: false,
    maxWaitTimeInMs: 100,
  });
  const records: StoredRecord[] = [];
  await consumer.connect();
  try {
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatch: ({ batch }) => {
        const end = open.get(batch.partition) ?? 0;
        records.push(
          ...batch.messages.filter((m) => Number(m.offset) < end).map((m) => storedOf(batch.partition, m)),
        );
        if (Number(batch.lastOffset()) + 1 >= end) open.delete(batch.partition);
        return Promise.resolve();
      },
    });
    await until(() => open.size === 0, {
      deadlineMs: options.deadlineMs,
      describe: () => `${records.length} records of ${topic} read`,
    });
  } finally {
    await consumer.disconnect();
  }
  return records.sort((a, b) => a.partition - b.partition || a.offset - b.offset);
}
