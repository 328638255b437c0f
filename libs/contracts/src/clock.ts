/** Time, injected everywhere a decision depends on it. */
export interface Clock {
  /** Wall time, epoch milliseconds (fractions allowed). For expiry and timestamps. */
  now(): number;
  /** Monotonic milliseconds. For durations, ages and pacing: a wall clock may jump. */
  monotonic(): number;
}

/** The process's own clocks. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  monotonic: () => performance.now(),
};
