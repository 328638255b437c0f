import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_TIMING, LaneConsumer, type FetchedRecord, type KafkaOptions } from '@commservice/kafka';
import { sqlFaultOf, type DeadLetterStore } from '@commservice/postgres';
import type { Logger, ReadinessCheck } from '@commservice/telemetry';
import { indexEntry } from './index-entry.js';
import { RecordBuffer } from './record-buffer.js';

export interface DeadLetterIndexerOptions {
  readonly kafka: KafkaOptions;
  readonly group: string;
  /** Every `dlq.*` and `parked.*` topic. */
  readonly topics: readonly string[];
  readonly store: Pick<DeadLetterStore, 'add'>;
  readonly logger: Logger;
}

const BATCH = 200;
const MIN_RETRY_MS = 200;
const MAX_RETRY_MS = 5_000;

/**
 * Writes every dead letter's coordinates and context into PostgreSQL. IDLE ⇄ WRITING → RETRYING while PostgreSQL is away:
 * nothing is settled then, so nothing is lost. Indexing a record twice changes nothing.
 */
export class DeadLetterIndexer {
  private readonly stopped = new AbortController();
  private readonly buffer: RecordBuffer;
  private readonly consumer: LaneConsumer;
  private running: Promise<void> | undefined;

  constructor(private readonly options: DeadLetterIndexerOptions) {
    const { kafka, group, topics, logger } = options;
    this.buffer = new RecordBuffer(() => topics.forEach((topic) => this.consumer.drained(topic)));
    this.consumer = new LaneConsumer({
      ...{
        kafka,
        group,
        topics,
        logger, // hundreds of partitions, almost always silent: a dead letter may wait a second for its place in the index
        timing: { ...DEFAULT_TIMING, maxWaitMs: 1_000 },
        sink: this.buffer,
      },
      // Dead letters that are older than this app belong into the index too.
      initGroup: true,
    });
  }

  async start(): Promise<void> {
    const started = await this.consumer.start();
    if (started.kind === 'refused') throw new Error(started.reason);
    this.running = this.run();
  }

  async stop(deadlineMs: number): Promise<void> {
    this.consumer.stopFetching();
    this.stopped.abort();
    await this.running;
    await this.consumer.stop(deadlineMs);
  }

  check(): ReadinessCheck {
    return this.consumer.ready
      ? { ok: true, detail: 'The index follows the dead-letter topics.' }
      : { ok: false, detail: 'The consumer of the dead-letter topics has not joined its group.' };
  }

  private async run(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      await this.buffer.ready(signal);
      if (!signal.aborted) await this.store(this.buffer.take(BATCH));
    }
  }

  private async store(records: readonly FetchedRecord[]): Promise<void> {
    for (
      let pauseMs = MIN_RETRY_MS;
      !this.stopped.signal.aborted;
      pauseMs = Math.min(MAX_RETRY_MS, pauseMs * 2)
    ) {
      try {
        await this.options.store.add(records.map(indexEntry));
        for (const record of records) this.consumer.settle(record);
        return;
      } catch (err) {
        const fault = sqlFaultOf(err);
        if (fault === 'data') return this.storeHalves(records);
        this.options.logger.warn(
          { err, fault, records: records.length },
          'dead letters could not be indexed; trying again',
        );
      }
      await delay(pauseMs, undefined, { signal: this.stopped.signal, ref: false }).catch(() => undefined);
    }
  }

  /** Finds the record that PostgreSQL refuses by halving; it stays on its topic and out of the index. */
  private async storeHalves(records: readonly FetchedRecord[]): Promise<void> {
    const [only] = records;
    if (records.length === 1 && only) {
      const { topic, partition, offset } = only;
      this.options.logger.error(
        { topic, partition, offset },
        'a dead letter cannot be indexed; it is skipped',
      );
      return this.consumer.settle(only);
    }
    const middle = Math.ceil(records.length / 2);
    await this.store(records.slice(0, middle));
    await this.store(records.slice(middle));
  }
}
