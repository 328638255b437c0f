import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@commservice/contracts';

/**
 * Turns in single file, at least 1/rate apart, measured from when the last one was really given: a late timer delays the
 * rest and never makes a burst, so no second holds more than the rate.
 */
export class Pace {
  private tail: Promise<unknown> = Promise.resolve();
  private nextAt = -Infinity;

  constructor(
    private readonly ratePerSecond: number,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** Waits for the next turn. @returns false when `signal` aborted first; the turn is then not used */
  turn(signal: AbortSignal): Promise<boolean> {
    const mine = this.tail.then(() => this.wait(signal));
    this.tail = mine;
    return mine;
  }

  private async wait(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      if (signal.aborted) return false;
      const now = this.clock.monotonic();
      if (now >= this.nextAt) {
        this.nextAt = now + 1_000 / this.ratePerSecond;
        return true;
      }
      await delay(Math.max(1, this.nextAt - now), undefined, { signal }).catch(() => undefined);
    }
  }
}
