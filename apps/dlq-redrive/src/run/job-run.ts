import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, Lane } from '@commservice/contracts';
import { laneOfDeadLetterTopic } from '@commservice/batch-safety';
import type { RedriveItem, RedriveJob, RedriveProgress } from '@commservice/postgres';
import type { Logger, Metrics } from '@commservice/telemetry';
import { Pace } from './pace.js';
import type { Replay, ReplayResult } from './replay.js';

export interface JobRunOptions {
  readonly progress: Pick<RedriveProgress, 'take' | 'settle' | 'finish' | 'stateOf'>;
  readonly replay: Pick<Replay, 'item'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** How often a cancellation is looked for, ms. Default 200. */
  readonly pollMs?: number;
  /** Pause after a window in which nothing could be done, ms; doubles up to 5 s. Default 250. */
  readonly retryMs?: number;
}

/** Most items whose results are not stored yet: what a crash may produce twice. */
const MAX_WINDOW = 50;
const MAX_RETRY_MS = 5_000;

/** Items of about a quarter of a second. */
export const windowSize = (ratePerSecond: number): number =>
  Math.min(MAX_WINDOW, Math.max(1, Math.ceil(ratePerSecond / 4)));

/** How a run ended. `interrupted`: the process stops or lost its lock; another one goes on. */
export type RunEnd = 'completed' | 'cancelled' | 'interrupted';

/**
 * One job from where it stands to its end, window by window: take → replay → settle. All progress is in PostgreSQL, so a
 * run may end anywhere. A cancellation is seen within `pollMs`; nothing is produced after it but what is in the air.
 */
export class JobRun {
  private readonly pace: Pace;
  private readonly cancelled = new AbortController();

  constructor(
    private readonly job: RedriveJob,
    private readonly options: JobRunOptions,
  ) {
    this.pace = new Pace(job.ratePerSecond, options.clock);
  }

  /** Rejects when PostgreSQL is unavailable; run it again then. */
  async run(signal: AbortSignal): Promise<RunEnd> {
    if (this.job.state === 'cancelling') return this.end('cancelled');
    const done = new AbortController();
    const watching = this.watch(AbortSignal.any([signal, done.signal]));
    try {
      return await this.windows(AbortSignal.any([signal, this.cancelled.signal]), signal);
    } finally {
      done.abort();
      await watching;
    }
  }

  private async windows(stop: AbortSignal, interrupted: AbortSignal): Promise<RunEnd> {
    const { progress, retryMs = 250 } = this.options;
    let pauseMs = retryMs;
    for (;;) {
      if (interrupted.aborted) return 'interrupted';
      if (this.cancelled.signal.aborted) return this.end('cancelled');
      const items = await progress.take(this.job.id, windowSize(this.job.ratePerSecond));
      if (items.length === 0) return this.end('completed');
      const settled = await this.window(items, stop);
      pauseMs = settled > 0 ? retryMs : Math.min(MAX_RETRY_MS, pauseMs * 2);
      if (settled === 0) await delay(pauseMs, undefined, { signal: stop }).catch(() => undefined);
    }
  }

  private async window(items: readonly RedriveItem[], stop: AbortSignal): Promise<number> {
    const { progress, replay } = this.options;
    const results = await Promise.all(items.map((item) => replay.item(this.job.id, item, this.pace, stop)));
    const settled = results.filter((r) => r.kind !== 'later');
    await progress.settle(this.job.id, settled);
    results.forEach((result, i) => this.count(items[i] as RedriveItem, result));
    return settled.length;
  }

  private count({ deadLetter }: RedriveItem, result: ReplayResult): void {
    const lane: Lane | undefined = laneOfDeadLetterTopic(deadLetter.topic);
    if (!lane || result.kind === 'later') return;
    const skipped = result.kind === 'skipped' && result.reason === 'expired' ? 'expired' : 'skipped';
    this.options.metrics.redriveRecords.add(1, {
      ...lane,
      result: result.kind === 'produced' ? 'replayed' : skipped,
    });
  }

  private async end(state: 'completed' | 'cancelled'): Promise<RunEnd> {
    await this.options.progress.finish(this.job.id, state);
    this.options.logger.info({ job: this.job.id, state }, 'a redrive job has ended');
    return state;
  }

  private async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await delay(this.options.pollMs ?? 200, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      // While PostgreSQL is away nothing can be cancelled, and nothing settled either.
      const state = await this.options.progress.stateOf(this.job.id).catch(() => undefined);
      if (state === 'cancelling' || state === 'cancelled') return this.cancelled.abort();
    }
  }
}
