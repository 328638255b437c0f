import type { Clock } from '@commservice/contracts';

/** Part of a new sample that enters the estimate. */
const GAIN = 0.1;
/** A difference above this is a step of one of the clocks, not jitter. */
const STEP_MS = 100;
/** A step above this is a clock that somebody set, or that was wrong. */
const SET_MS = 1_000;
/** A slower call says little about the time at which it was answered. */
const TRUSTED_MS = 20;

/**
 * Wall time as the coordinator (Redis) keeps it, so that a pod whose own clock is wrong still expires and retries at the
 * right moment. Before the first sample it is the machine's clock; while the coordinator is away it runs on by monotonic
 * time. States: own time → corrected ⇄ doubting. One clock alone is no witness: while the machine's wall clock agrees with
 * the time kept so far, a platform that steps away by more than a second is doubted and not followed, else one wrong clock
 * would expire every code, or none. Callers: everything in a dispatcher that takes a `Clock`.
 */
export class PlatformClock implements Clock {
  /** Platform's wall time minus monotonic time. */
  private offsetMs: number | undefined;

  private doubtedMs = 0;

  /** @param wall the machine's wall clock as it is set now, epoch ms; default: the process's */
  constructor(
    private readonly machine: Clock,
    private readonly wall: () => number = Date.now,
  ) {}

  now(): number {
    return this.offsetMs === undefined ? this.machine.now() : this.machine.monotonic() + this.offsetMs;
  }

  monotonic(): number {
    return this.machine.monotonic();
  }

  /** How far the machine's clock is ahead of the platform's, ms; negative = behind, 0 = not known yet. */
  get aheadMs(): number {
    return this.machine.now() - this.now();
  }

  /** How far the coordinator's clock has stepped away from the time that is kept, ms; 0 = it has not. */
  get coordinatorAheadMs(): number {
    return this.doubtedMs;
  }

  /**
   * The platform's time was `remoteMs` at some moment between two moments of our monotonic time; halfway is assumed. Samples
   * of slow calls count only as the first one, or when they prove a step.
   */
  sample(remoteMs: number, sentAtMs: number, receivedAtMs: number): void {
    const tripMs = receivedAtMs - sentAtMs;
    const sample = remoteMs - (sentAtMs + receivedAtMs) / 2;
    const known = this.offsetMs;
    if (known === undefined) this.offsetMs = sample;
    else if (Math.abs(sample - known) > Math.max(STEP_MS, tripMs)) return this.step(sample, known);
    else if (tripMs <= TRUSTED_MS) this.offsetMs = known + GAIN * (sample - known);
    this.doubtedMs = 0;
  }

  private step(sample: number, known: number): void {
    const machineAgrees = Math.abs(this.wall() - this.now()) <= SET_MS;
    const doubted = Math.abs(sample - known) > SET_MS && machineAgrees;
    this.doubtedMs = doubted ? sample - known : 0;
    if (!doubted) this.offsetMs = sample;
  }
}
