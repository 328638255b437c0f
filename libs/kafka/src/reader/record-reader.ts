import { randomUUID } from 'node:crypto';
import type { Consumer, EachBatchPayload } from 'kafkajs';
import type { Logger } from '@commservice/telemetry';
import { TopicAdmin } from '../admin/topic-admin.js';
import { createClient, type KafkaOptions } from '../client.js';
import { toRecord } from '../consumer/decode-record.js';
import type { FetchedRecord } from '../record.js';

export type ReadResult =
  | { kind: 'record'; record: FetchedRecord }
  /** Retention or a deletion took it, or it was never there. */
  | { kind: 'gone' }
  | { kind: 'timeout' };

interface Waiting {
  readonly offset: number;
  readonly resolve: (result: ReadResult) => void;
}

/**
 * Reads single records by topic, partition and offset, without joining a group per read: a standing member of a group of
 * its own holds every partition paused, and opens one for as long as a read of it waits. Reads of one partition queue up;
 * reads of different partitions run side by side. Commits nothing. Called by dlq-redrive.
 */
export class RecordReader {
  private readonly consumer: Consumer;
  private readonly admin: TopicAdmin;
  private readonly waiting = new Map<string, Waiting>();
  private readonly turns = new Map<string, Promise<unknown>>();

  constructor(private readonly options: { kafka: KafkaOptions; topics: readonly string[]; logger: Logger }) {
    this.admin = new TopicAdmin(options);
    this.consumer = createClient(options.kafka, options.logger).consumer({
      groupId: `commservice.reader.${options.kafka.clientId}.${randomUUID()}`,
      sessionTimeout: 10_000,
      heartbeatInterval: 1_000,
      maxWaitTimeInMs: 250,
      maxBytesPerPartition: 256 * 1024,
      allowAutoTopicCreation: false,
    });
  }

  /** Joins; resolves with the first assignment, rejects when it does not come within `deadlineMs`. */
  async start(deadlineMs = 30_000): Promise<void> {
    await this.admin.connect(deadlineMs);
    await this.consumer.connect();
    await this.consumer.subscribe({ topics: [...this.options.topics], fromBeginning: true });
    const joined = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the reader could not join')), deadlineMs);
      this.consumer.on(this.consumer.events.GROUP_JOIN, () => {
        this.pauseIdle();
        clearTimeout(timer);
        resolve();
      });
    });
    await this.consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      eachBatch: (b) => Promise.resolve(this.onBatch(b)),
    });
    await joined;
  }

  /** One record, or why there is none. Never rejects. */
  read(topic: string, partition: number, offset: number, deadlineMs: number): Promise<ReadResult> {
    const name = `${topic}|${partition}`;
    const before = this.turns.get(name) ?? Promise.resolve();
    const turn = before.then(() => this.readNow(topic, partition, offset, deadlineMs));
    this.turns.set(name, turn);
    return turn;
  }

  async close(): Promise<void> {
    for (const { resolve } of this.waiting.values()) resolve({ kind: 'timeout' });
    this.waiting.clear();
    await this.consumer.disconnect().catch(() => undefined);
    await this.admin.close();
  }

  private async readNow(
    topic: string,
    partition: number,
    offset: number,
    deadlineMs: number,
  ): Promise<ReadResult> {
    const name = `${topic}|${partition}`;
    let timer: NodeJS.Timeout | undefined;
    try {
      const ends = (await this.admin.ends(topic)).find((e) => e.partition === partition);
      if (!ends || offset < ends.low || offset >= ends.high) return { kind: 'gone' };
      return await new Promise<ReadResult>((resolve) => {
        timer = setTimeout(() => resolve({ kind: 'timeout' }), deadlineMs);
        this.waiting.set(name, { offset, resolve });
        this.consumer.seek({ topic, partition, offset: String(offset) });
        this.consumer.resume([{ topic, partitions: [partition] }]);
      });
    } catch (error) {
      this.options.logger.debug(
        { topic, partition, offset, error: String(error) },
        'a record could not be read',
      );
      return { kind: 'timeout' };
    } finally {
      clearTimeout(timer);
      this.waiting.delete(name);
      this.consumer.pause([{ topic, partitions: [partition] }]);
    }
  }

  private onBatch({ batch }: EachBatchPayload): void {
    const waiting = this.waiting.get(`${batch.topic}|${batch.partition}`);
    if (!waiting) return;
    for (const message of batch.messages) {
      const at = Number(message.offset);
      if (at < waiting.offset) continue;
      const record = toRecord(batch.topic, batch.partition, message, () => Infinity);
      waiting.resolve(at === waiting.offset ? { kind: 'record', record } : { kind: 'gone' });
      return;
    }
  }

  private pauseIdle(): void {
    for (const topic of this.options.topics) this.consumer.pause([{ topic }]);
    for (const name of this.waiting.keys()) {
      const [topic, partition] = name.split('|') as [string, string];
      this.consumer.resume([{ topic, partitions: [Number(partition)] }]);
    }
  }
}
