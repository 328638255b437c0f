import type { Clock } from '@commservice/contracts';

/** A clock that moves only when told to. */
export interface ManualClock extends Clock {
  /** Lets time pass on both clocks, milliseconds ≥ 0. */
  advance(ms: number): void;
  /** Moves the wall clock alone, as a time server or an operator does; may be negative. */
  jumpWall(ms: number): void;
}

/** Starts at `nowEpochMs` (default 2026-01-01T00:00:00Z) on the wall and 0 on the monotonic clock. */
export function manualClock(nowEpochMs = Date.UTC(2026, 0, 1)): ManualClock {
  let wall = nowEpochMs;
  let monotonic = 0;
  return {
    now: () => wall,
    monotonic: () => monotonic,
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError('time passes forward only: advance takes milliseconds ≥ 0');
      wall += ms;
      monotonic += ms;
    },
    jumpWall(ms) {
      wall += ms;
    },
  };
}
