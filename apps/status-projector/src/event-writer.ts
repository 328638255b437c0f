import { setTimeout as delay } from 'node:timers/promises';
import { decodeEvent, type MessageEvent, type Priority } from '@commservice/contracts';
import type { FetchedRecord } from '@commservice/kafka';
import { sqlFaultOf, type MessageStore } from '@commservice/postgres';
import type { Logger, Metrics } from '@commservice/telemetry';
import type { EventBuffer } from './event-buffer.js';

export interface EventWriterOptions {
  readonly priority: Priority;
  /** Consumer group, for metrics. */
  readonly group: string;
  readonly buffer: EventBuffer;
  readonly store: Pick<MessageStore, 'apply'>;
  /** The record's event is stored, or can never be: its offset may pass. */
  readonly settle: (record: FetchedRecord) => void;
  /** Most events of one transaction. */
  readonly batchEvents: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** First pause after a failed write, ms; doubles up to 5 s. Default 100. */
  readonly retryMs?: number;
}

const MAX_RETRY_MS = 5_000;

interface Decoded {
  readonly record: FetchedRecord;
  readonly event: MessageEvent;
}

/**
 * Writes the events of one class: take what is there, store it in one transaction, settle it, again. IDLE ⇄ WRITING,
 * WRITING → RETRYING while PostgreSQL is away: nothing is settled, the buffer fills, the consumer pauses, nothing is lost.
 * An event that can never be stored is counted, logged by its coordinates and settled, so that it stops nobody.
 */
export class EventWriter {
  private readonly stopped = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly options: EventWriterOptions) {}

  start(): void {
    this.running = this.run();
  }

  /** Finishes the transaction in the air; what waits is fetched again by whoever owns it next. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { buffer, batchEvents } = this.options;
    const { signal } = this.stopped;
    while (!signal.aborted) {
      await buffer.ready(signal);
      if (signal.aborted) return;
      const records = buffer.take(batchEvents);
      if (records.length > 0) await this.store(this.decode(records));
    }
  }

  /** Settles what is no event at once. */
  private decode(records: readonly FetchedRecord[]): Decoded[] {
    const decoded: Decoded[] = [];
    for (const record of records) {
      const event = decodeEvent(record.value);
      if (event) decoded.push({ record, event });
      else this.giveUp(record, 'unreadable');
    }
    return decoded;
  }

  private async store(batch: readonly Decoded[]): Promise<void> {
    let pauseMs = this.options.retryMs ?? 100;
    while (batch.length > 0 && !this.stopped.signal.aborted) {
      try {
        return await this.storeOnce(batch);
      } catch (err) {
        const fault = sqlFaultOf(err);
        if (fault === 'data') return this.storeHalves(batch);
        const log = fault === 'bug' ? 'error' : 'warn';
        this.options.logger[log](
          { err, events: batch.length, pauseMs },
          'events could not be stored; trying again',
        );
      }
      await delay(pauseMs, undefined, { signal: this.stopped.signal, ref: false }).catch(() => undefined);
      pauseMs = Math.min(MAX_RETRY_MS, pauseMs * 2);
    }
  }

  private async storeOnce(batch: readonly Decoded[]): Promise<void> {
    const { store, metrics, priority } = this.options;
    const from = performance.now();
    const { changed, refused } = await store.apply(batch.map((d) => d.event));
    metrics.projectorWriteDuration.record((performance.now() - from) / 1000, {});
    const moved = new Map(changed.map((c) => [c.id, c]));
    for (const { record, event } of batch) {
      if (refused.includes(event)) {
        this.giveUp(record, 'refused');
        continue;
      }
      const now = moved.get(event.id);
      const applied = now?.status === event.status && now.generation === event.generation;
      metrics.eventsProjected.add(1, {
        priority,
        status: event.status,
        result: applied ? 'applied' : 'stale',
      });
      this.options.settle(record);
    }
  }

  /** Finds the event that PostgreSQL refuses by halving; the others are stored. */
  private async storeHalves(batch: readonly Decoded[]): Promise<void> {
    const only = batch[0];
    if (batch.length === 1 && only) return this.giveUp(only.record, 'refused');
    const middle = Math.ceil(batch.length / 2);
    await this.store(batch.slice(0, middle));
    await this.store(batch.slice(middle));
  }

  private giveUp(record: FetchedRecord, reason: 'unreadable' | 'refused'): void {
    const { metrics, group, priority, logger, settle } = this.options;
    metrics.consumerQuarantined.add(1, { group, priority, reason: `event ${reason}` });
    const { topic, partition, offset } = record;
    logger.error({ topic, partition, offset, reason }, 'an event cannot be stored; it is skipped');
    settle(record);
  }
}
