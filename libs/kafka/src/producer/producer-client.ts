import { setTimeout as delay } from 'node:timers/promises';
import { Partitioners, type Admin, type Kafka, type Producer } from 'kafkajs';
import type { Logger } from '@commservice/telemetry';
import { createClient, type KafkaOptions } from '../client.js';

const DISCONNECT_MS = 5_000;
const RECONNECT_MIN_MS = 100;
const RECONNECT_MAX_MS = 1_000;

/**
 * The kafkajs producer in use, replaceable. States: CONNECTED → (replace) RECONNECTING → CONNECTED; any → CLOSED.
 * A replaced producer finishes what it has in the air, then disconnects. Used by RecordProducer only.
 */
export class ProducerClient {
  private readonly kafka: Kafka;
  private readonly admin: Admin;
  private readonly counts = new Map<string, number>();
  private producer: Producer;
  private replacing = false;
  private closed = false;

  constructor(
    kafka: KafkaOptions,
    private readonly logger: Logger,
    requestTimeoutMs: number,
    /** The broker took a new connection after a rejected send. */
    private readonly onReconnected: () => void,
  ) {
    const retry = { initialRetryTime: 50, maxRetryTime: 300, retries: 1 };
    this.kafka = createClient(kafka, logger, {
      requestTimeout: requestTimeoutMs,
      connectionTimeout: 1_000,
      retry,
    });
    this.admin = this.kafka.admin({ retry });
    this.producer = this.create();
  }

  /** Whether a send may start: not while a rejected producer is being replaced. */
  get usable(): boolean {
    return !this.replacing && !this.closed;
  }

  /** The producer for the next send. */
  current(): Producer {
    return this.producer;
  }

  partitions(topic: string): number | undefined {
    return this.counts.get(topic);
  }

  async connect(topics: readonly string[], deadlineMs: number): Promise<void> {
    const endAt = performance.now() + deadlineMs;
    for (;;) {
      try {
        await this.admin.connect();
        await this.load(topics);
        return await this.producer.connect();
      } catch (error) {
        if (performance.now() > endAt) throw new Error('Kafka does not answer', { cause: error });
        await delay(RECONNECT_MIN_MS);
      }
    }
  }

  /** The partition count of a topic that was not named at `connect`; undefined when it does not exist or nobody answers. */
  async loadPartitions(topic: string, deadlineMs: number): Promise<number | undefined> {
    const timeout = delay(deadlineMs, undefined, { ref: false });
    await Promise.race([this.load([topic]).catch(() => undefined), timeout]);
    return this.counts.get(topic);
  }

  /** After a rejected send: a new producer takes over, with back-off while the broker is gone. Calls for an old one are ignored. */
  replace(rejected: Producer): void {
    if (this.replacing || this.closed || rejected !== this.producer) return;
    this.replacing = true;
    void this.reconnect();
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.race([
      Promise.allSettled([this.producer.disconnect(), this.admin.disconnect()]),
      delay(DISCONNECT_MS, undefined, { ref: false }),
    ]);
  }

  private async reconnect(): Promise<void> {
    const old = this.producer;
    for (let waitMs = RECONNECT_MIN_MS; !this.closed; waitMs = Math.min(waitMs * 2, RECONNECT_MAX_MS)) {
      const next = this.create();
      try {
        await next.connect();
        this.producer = next;
        this.replacing = false;
        this.onReconnected();
        break;
      } catch (error) {
        this.logger.debug({ error: String(error) }, 'the producer cannot connect yet');
        await next.disconnect().catch(() => undefined);
        await delay(waitMs, undefined, { ref: false });
      }
    }
    await Promise.race([
      old.disconnect().catch(() => undefined),
      delay(DISCONNECT_MS, undefined, { ref: false }),
    ]);
  }

  private create(): Producer {
    return this.kafka.producer({
      createPartitioner: Partitioners.DefaultPartitioner,
      allowAutoTopicCreation: false,
      idempotent: false,
      maxInFlightRequests: 64,
      retry: { initialRetryTime: 50, maxRetryTime: 300, retries: 0 },
    });
  }

  private async load(topics: readonly string[]): Promise<void> {
    if (topics.length === 0) return;
    const { topics: found } = await this.admin.fetchTopicMetadata({ topics: [...topics] });
    for (const { name, partitions } of found) this.counts.set(name, partitions.length);
  }
}
