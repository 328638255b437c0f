import { setTimeout as delay } from 'node:timers/promises';
import type { AdvisoryLock, Postgres, RedriveJob, RedriveProgress } from '@commservice/postgres';
import type { Logger } from '@commservice/telemetry';
import type { RunEnd } from './job-run.js';

export interface RunnerOptions {
  readonly postgres: Pick<Postgres, 'tryLock'>;
  readonly progress: Pick<RedriveProgress, 'next'>;
  /** Runs one job until it ends or `signal` aborts. */
  readonly run: (job: RedriveJob, signal: AbortSignal) => Promise<RunEnd>;
  readonly logger: Logger;
  /** Pause when there is no job or no lock, ms. Default 500. */
  readonly idleMs?: number;
}

const LOCK = 'redrive-runner';

/**
 * Runs redrive jobs, oldest first, one at a time, in one pod of the fleet. WAITING (another pod has the lock) ⇄ HOLDING;
 * HOLDING ⇄ RUNNING. A lost lock interrupts the run; whoever gets the lock next goes on with the same job. `wake` (from
 * the API in this process) only shortens the wait.
 */
export class RedriveRunner {
  private readonly stopped = new AbortController();
  private running: Promise<void> | undefined;
  private lock: AdvisoryLock | undefined;
  private nudge = new AbortController();

  constructor(private readonly options: RunnerOptions) {}

  start(): void {
    this.running = this.loop();
  }

  /** A job may be waiting. */
  wake(): void {
    this.nudge.abort();
  }

  /** Stores the results of the window in the air, then gives the lock back. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
    await this.lock?.release();
  }

  private async loop(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      const worked = await this.round().catch((err: unknown) => {
        this.options.logger.warn({ err }, 'the redrive runner was interrupted; it goes on by itself');
        return false;
      });
      if (!worked) await this.idle();
    }
  }

  /** @returns whether there was something to do */
  private async round(): Promise<boolean> {
    const { postgres, progress, run } = this.options;
    if (!this.lock || this.lock.lost.aborted) this.lock = await postgres.tryLock(LOCK);
    if (!this.lock) return false;
    const job = await progress.next();
    if (!job) return false;
    const end = await run(job, AbortSignal.any([this.stopped.signal, this.lock.lost]));
    return end !== 'interrupted';
  }

  private async idle(): Promise<void> {
    const signal = AbortSignal.any([this.stopped.signal, this.nudge.signal]);
    await delay(this.options.idleMs ?? 500, undefined, { signal, ref: false }).catch(() => undefined);
    this.nudge = new AbortController();
  }
}
