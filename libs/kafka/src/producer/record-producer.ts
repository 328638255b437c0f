import { CompressionTypes, type Producer, type RecordMetadata } from 'kafkajs';
import { systemClock, type Clock } from '@commservice/contracts';
import type { Logger } from '@commservice/telemetry';
import type { KafkaOptions } from '../client.js';
import { partitionOf } from '../partition.js';
import type { OutgoingRecord, ProduceResult } from '../record.js';
import { classifySendError } from './classify-error.js';
import { PartitionQueue, type Pending } from './partition-queue.js';
import { ProducerClient } from './producer-client.js';

export interface RecordProducerOptions {
  readonly kafka: KafkaOptions;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Bound of everything that waits or is in the air, bytes. Above it `produce` answers `not-stored` at once. Default 64 MiB. */
  readonly maxBufferedBytes?: number;
  /** Longest wait for one answer of the broker, ms. Default 3 000. */
  readonly requestTimeoutMs?: number;
  /** While the broker has been gone for longer than this, `produce` answers `not-stored` at once, ms. Default 1 000. */
  readonly failFastAfterMs?: number;
  /** gzip the batches (worth it for bulk). Default false. */
  readonly compress?: boolean;
}

/** A batch is fetched and decoded whole, whatever a consumer's fetch limit: small ones keep its event loop free for P1. */
const MAX_BATCH_RECORDS = 100;
const MAX_BATCH_BYTES = 64 * 1024;
const SWEEP_MS = 50;
const RETRY_MS = 50;

/**
 * Produces records so that an acknowledged one is certainly on its topic (kafka-real Q1, Q2): one send = one
 * topic-partition, at most one of them outstanding per partition, acks −1, not idempotent; the acknowledgement must name
 * exactly that partition. While a batch is in the air the next one gathers: no linger, batches grow with load.
 *
 * Every record gets exactly one answer, at the latest at its deadline; one that has not left by then never leaves.
 * After a rejected send the client underneath is replaced. Never rejects; duplicates on a topic are possible (a lost
 * acknowledgement is tried again) and are what claims are for.
 */
export class RecordProducer {
  private readonly clock: Clock;
  private readonly client: ProducerClient;
  private readonly queues = new Map<string, PartitionQueue>();
  private readonly maxBufferedBytes: number;
  private readonly failFastAfterMs: number;
  private bufferedBytes = 0;
  private inFlight = new Set<Pending>();
  private sweep: NodeJS.Timeout | undefined;
  private downSince: number | undefined;
  private closed = false;

  constructor(private readonly options: RecordProducerOptions) {
    this.clock = options.clock ?? systemClock;
    this.maxBufferedBytes = options.maxBufferedBytes ?? 64 * 1024 * 1024;
    this.failFastAfterMs = options.failFastAfterMs ?? 1_000;
    this.client = new ProducerClient(options.kafka, options.logger, options.requestTimeoutMs ?? 3_000, () => {
      this.downSince = undefined;
      for (const queue of this.queues.values()) this.pump(queue);
    });
  }

  /** Connects and learns the partition counts of `topics`. Rejects when the broker does not answer within `deadlineMs`. */
  connect(topics: readonly string[], deadlineMs = 30_000): Promise<void> {
    return this.client.connect(topics, deadlineMs);
  }

  /** Whether the last send, or the connection, worked. */
  get healthy(): boolean {
    return this.downSince === undefined;
  }

  /** Bytes that wait or are in the air. */
  get buffered(): number {
    return this.bufferedBytes;
  }

  /**
   * Produces one record; the answer comes at the latest after `deadlineMs`.
   * @param lingerMs how long the record may wait for company. Each send costs the same, whatever it carries: what nobody
   * waits for should not travel alone. Default 0.
   */
  async produce(record: OutgoingRecord, deadlineMs: number, lingerMs = 0): Promise<ProduceResult> {
    const key = typeof record.key === 'string' ? Buffer.from(record.key) : record.key;
    if (this.closed) return { kind: 'not-stored', reason: 'the producer is closed' };
    if (this.down()) return { kind: 'not-stored', reason: 'the broker does not answer' };
    const bytes = key.length + (record.value?.length ?? 0) + 256;
    if (this.bufferedBytes + bytes > this.maxBufferedBytes)
      return { kind: 'not-stored', reason: 'the produce buffer is full' };
    const known = this.client.partitions(record.topic);
    const partitions = known ?? (await this.client.loadPartitions(record.topic, deadlineMs));
    if (partitions === undefined) return { kind: 'not-stored', reason: 'the topic is not known' };
    return new Promise((resolve) => {
      const queue = this.enqueue({ ...record, key }, partitions, bytes, deadlineMs, resolve);
      if (lingerMs === 0) this.pump(queue);
      else queue.linger(lingerMs, () => this.pump(queue));
    });
  }

  /** Sends what waits, then disconnects; what is not acknowledged within `deadlineMs` is answered. */
  async close(deadlineMs: number): Promise<void> {
    this.closed = true;
    const endAt = this.clock.monotonic() + deadlineMs;
    while (this.bufferedBytes > 0 && this.clock.monotonic() < endAt)
      await new Promise((r) => setTimeout(r, 10));
    clearInterval(this.sweep);
    for (const queue of this.queues.values())
      for (const p of queue.takeBatch(Infinity, Infinity))
        this.answer(p, { kind: 'not-stored', reason: 'the producer closed' });
    for (const p of this.inFlight) this.answer(p, { kind: 'unknown', reason: 'the producer closed' });
    await this.client.close();
  }

  private down(): boolean {
    return this.downSince !== undefined && this.clock.monotonic() - this.downSince > this.failFastAfterMs;
  }

  private enqueue(
    record: OutgoingRecord & { key: Buffer },
    partitions: number,
    bytes: number,
    deadlineMs: number,
    resolve: (r: ProduceResult) => void,
  ): PartitionQueue {
    const partition = record.partition ?? partitionOf(record.key, partitions);
    const name = `${record.topic}|${partition}`;
    let queue = this.queues.get(name);
    if (!queue) this.queues.set(name, (queue = new PartitionQueue(record.topic, partition)));
    this.bufferedBytes += bytes;
    queue.push({
      record: { ...record, partition },
      bytes,
      atEpochMs: Math.round(this.clock.now()),
      expiresAt: this.clock.monotonic() + deadlineMs,
      ambiguous: false,
      settled: false,
      settle: resolve,
    });
    this.sweep ??= setInterval(() => this.expire(), SWEEP_MS).unref();
    return queue;
  }

  private pump(queue: PartitionQueue): void {
    // what waits for a new connection has not left: it can still be answered `not-stored`
    if (queue.sending || queue.size === 0 || !this.client.usable) return;
    const batch = queue.takeBatch(MAX_BATCH_RECORDS, MAX_BATCH_BYTES);
    queue.sending = true;
    for (const p of batch) this.inFlight.add(p);
    void this.send(queue, batch).then((retryAfterMs) => {
      for (const p of batch) this.inFlight.delete(p);
      const next = (): void => {
        queue.sending = false;
        this.pump(queue);
      };
      if (retryAfterMs > 0) setTimeout(next, retryAfterMs);
      else next();
    });
  }

  /** One attempt of one batch; returns how long the partition waits before its next one. */
  private async send(queue: PartitionQueue, batch: readonly Pending[]): Promise<number> {
    const { topic, partition } = queue;
    const producer = this.client.current();
    try {
      const acks = await producer.send({
        topic,
        acks: -1,
        compression: this.options.compress ? CompressionTypes.GZIP : CompressionTypes.None,
        messages: batch.map(({ record, atEpochMs }) => ({
          timestamp: String(atEpochMs),
          key: record.key,
          value: record.value,
          partition,
          headers: record.headers,
        })),
      });
      if (!namesOnly(acks, topic, partition))
        return this.failed(queue, batch, producer, {
          kind: 'unknown',
          reason: 'the acknowledgement names another partition',
        });
      this.downSince = undefined;
      for (const p of batch) this.answer(p, { kind: 'acked', partition });
      return 0;
    } catch (error) {
      return this.failed(queue, batch, producer, classifySendError(error));
    }
  }

  private failed(
    queue: PartitionQueue,
    batch: readonly Pending[],
    producer: Producer,
    fault: ReturnType<typeof classifySendError>,
  ): number {
    this.downSince ??= this.clock.monotonic();
    this.client.replace(producer);
    this.options.logger.debug(
      {
        topic: queue.topic,
        partition: queue.partition,
        records: batch.length,
        fault: fault.kind,
        reason: fault.reason,
      },
      'a send was rejected',
    );
    for (const p of batch) p.ambiguous ||= fault.kind === 'unknown';
    if (fault.kind === 'not-stored' && !fault.retriable) {
      for (const p of batch) this.answer(p, p.ambiguous ? { kind: 'unknown', reason: fault.reason } : fault);
      return 0;
    }
    queue.unshift(batch.filter((p) => !p.settled));
    this.expire();
    return RETRY_MS;
  }

  private expire(): void {
    const now = this.clock.monotonic();
    for (const queue of this.queues.values()) {
      const cut = this.down() ? Infinity : now;
      for (const p of queue.removeExpired(cut)) this.answer(p, unanswered(p));
    }
    for (const p of this.inFlight)
      if (p.expiresAt <= now) this.answer(p, { kind: 'unknown', reason: 'no acknowledgement in time' });
    if (this.bufferedBytes === 0) {
      clearInterval(this.sweep);
      this.sweep = undefined;
    }
  }

  private answer(p: Pending, result: ProduceResult): void {
    if (p.settled) return;
    p.settled = true;
    this.bufferedBytes -= p.bytes;
    p.settle(result);
  }
}

function unanswered(p: Pending): ProduceResult {
  return p.ambiguous
    ? { kind: 'unknown', reason: 'the acknowledgement was lost' }
    : { kind: 'not-stored', reason: 'the broker did not take it in time' };
}

function namesOnly(acks: readonly RecordMetadata[], topic: string, partition: number): boolean {
  return (
    acks.length === 1 &&
    acks[0]?.topicName === topic &&
    acks[0].partition === partition &&
    acks[0].errorCode === 0
  );
}
