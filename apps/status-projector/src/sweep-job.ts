import { setTimeout as delay } from 'node:timers/promises';
import { systemClock, type Clock } from '@commservice/contracts';
import {
  imbalance,
  sweep,
  type AdvisoryLock,
  type Imbalance,
  type MessageStore,
  type Postgres,
} from '@commservice/postgres';
import type { Logger, Metrics } from '@commservice/telemetry';

export interface SweepJobOptions {
  readonly postgres: Postgres;
  readonly store: MessageStore;
  readonly everyMs: number;
  readonly neverSentAfterMs: number;
  readonly noReceiptAfterMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
}

/**
 * Ends messages that nothing else will end. WAITING (another pod has the lock) ⇄ SWEEPING (this one has it). Fleet-wide
 * one pod sweeps, by the advisory lock `sweeper`; when it dies, another takes over within `everyMs`.
 */
export class SweepJob {
  private readonly stopped = new AbortController();
  private running: Promise<void> | undefined;
  private lock: AdvisoryLock | undefined;
  private counted: readonly Imbalance[] = [];

  constructor(private readonly options: SweepJobOptions) {
    options.metrics.observe('imbalance', () =>
      this.counted.map(({ count, ...attributes }) => ({ value: count, attributes })),
    );
  }

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
    await this.lock?.release();
  }

  private async run(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      const more = await this.round().catch((err: unknown) => {
        this.options.logger.warn({ err }, 'the sweep could not reach PostgreSQL; trying again later');
        return false;
      });
      if (!more) await delay(this.options.everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** One sweep. @returns whether a limit was reached, so that the next one should follow at once */
  private async round(): Promise<boolean> {
    const { postgres, store, neverSentAfterMs, noReceiptAfterMs, logger, metrics } = this.options;
    if (!this.lock || this.lock.lost.aborted) this.lock = await postgres.tryLock('sweeper');
    if (!this.lock) {
      this.counted = [];
      return false;
    }
    const nowMs = (this.options.clock ?? systemClock).now();
    const { expired, unconfirmed, more } = await sweep(postgres, store, {
      nowMs,
      neverSentAfterMs,
      noReceiptAfterMs,
    });
    for (const { channel, brand, priority, id } of expired) {
      metrics.expired.add(1, { channel, brand, priority, stage: 'sweep' });
      logger.error({ id, channel, priority }, 'a message lost its trace before it expired');
    }
    if (unconfirmed.length > 0)
      logger.info({ messages: unconfirmed.length }, 'messages without a receipt were ended');
    this.counted = await imbalance(postgres);
    return more;
  }
}
