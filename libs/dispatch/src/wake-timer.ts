import type { Clock } from '@commservice/contracts';

const LONGEST_MS = 60_000;

/** One timer for the earliest of many moments. Does not keep the process alive. */
export class WakeTimer {
  private timer: NodeJS.Timeout | undefined;
  private at = Infinity;

  constructor(
    private readonly clock: Clock,
    private readonly wake: () => void,
  ) {}

  /** Wakes at `atMs` (monotonic) at the latest; an earlier moment asked for before stays. */
  set(atMs: number): void {
    if (atMs >= this.at) return;
    clearTimeout(this.timer);
    this.at = atMs;
    const delayMs = Math.min(Math.max(1, Math.ceil(atMs - this.clock.monotonic())), LONGEST_MS);
    this.timer = setTimeout(() => {
      this.at = Infinity;
      this.wake();
    }, delayMs).unref();
  }

  clear(): void {
    clearTimeout(this.timer);
    this.at = Infinity;
  }
}
