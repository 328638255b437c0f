import { CompressionTypes, Partitioners } from 'kafkajs';
import { rawKafka } from './client.js';

export interface RawRecord {
  readonly key?: string | Buffer | null;
  readonly value: string | Buffer | null;
  readonly headers?: Record<string, string | Buffer>;
  /** Default: by the key, as the platform does. */
  readonly partition?: number;
}

/** Writes records as they are: also keyless, undecodable or compressed ones that the platform itself would never write. */
export async function produceRaw(
  topic: string,
  records: readonly RawRecord[],
  options: { compression?: CompressionTypes; brokers?: readonly string[] } = {},
): Promise<void> {
  const kafka = await rawKafka(options.brokers);
  const producer = kafka.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    allowAutoTopicCreation: false,
  });
  await producer.connect();
  try {
    await producer.send({
      topic,
      acks: -1,
      compression: options.compression ?? CompressionTypes.None,
      messages: records.map((r) => ({ ...r })),
    });
  } finally {
    await producer.disconnect();
  }
}
