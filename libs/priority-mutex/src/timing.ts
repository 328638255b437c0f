/** Every duration of the mutex, in ms. Tests run the same ratios at another scale. */
export interface MutexTiming {
  /** Between two leases while something waits. Default 100. */
  tickMs: number;
  /** How far ahead departures are granted; longer than the tick, so that a late call loses nothing. Default 150. */
  horizonMs: number;
  /** A departure not used this long after it fell due lapses. Default 20. */
  lapseMs: number;
  /** Between two calls of an idle pod (presence and gate). Default 250. */
  pollMs: number;
  /** Deadline of one call. Default 50. */
  deadlineMs: number;
  /** A higher class presses when its oldest has waited this long, or 2 · pods / R if that is longer. Default 25. */
  pressAfterMs: number;
  /** A higher class presses when more waits than falls due in this time. Default 100. */
  pressLookAheadMs: number;
  /** How long lower classes stand back after the last press (contention). Default 100. */
  holdMs: number;
  /** The same in mode strict. Default 300. */
  strictHoldMs: number;
  /** Between two calls while pressing. Default 60. */
  pressRefreshMs: number;
  /** No class is blocked longer: its minimum share begins at 95 % of this. Default 60 000. */
  maxBlockMs: number;
  /** Standing stock and gate view count for nothing when the last answer is older. Default 1 500. */
  viewMaxAgeMs: number;
}

export const DEFAULT_TIMING: MutexTiming = {
  tickMs: 100,
  horizonMs: 150,
  lapseMs: 20,
  pollMs: 250,
  deadlineMs: 50,
  pressAfterMs: 25,
  pressLookAheadMs: 100,
  holdMs: 100,
  strictHoldMs: 300,
  pressRefreshMs: 60,
  maxBlockMs: 60_000,
  viewMaxAgeMs: 1500,
};

/**
 * The minimum share begins at this part of `maxBlockMs`: the lease, the departure and the call come in time, and what was
 * lost until then is made up, so that over two longest blocks the class gets half of its minimum share at least.
 */
const SHARE_AHEAD = 0.95;

/** After how long a block its minimum share begins, ms; a tick and a horizon may pass until its first unit departs. */
export const minimumShareAfterMs = ({ maxBlockMs, tickMs, horizonMs }: MutexTiming): number =>
  Math.max(0, Math.min(SHARE_AHEAD * maxBlockMs, maxBlockMs - tickMs - horizonMs));
