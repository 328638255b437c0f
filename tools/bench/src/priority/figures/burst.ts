import { latencyFigures, type Journey, type LatencyFigures } from './latency-figures.js';

/** What became of many P1 that came at once. */
export interface BurstFigures {
  readonly latency: LatencyFigures;
  /** From the first of them to the call of the last, ms; a lower bound while one waits. */
  readonly lastCallMs: number;
  /** The least it can take at R, ms. */
  readonly leastMs: number;
  /** Calls of lower classes after the burst pressed, until its last call. */
  readonly lowerAfterPress: number;
  /** From the press to the last of those, ms; 0 = none. */
  readonly lastLowerMs: number;
}

/**
 * @param lowerMs arrivals of lower-class calls at the provider, ascending
 * @param afterMs the burst presses so long after its first message
 * @param endMs stands for the call of a P1 that was never called
 */
export function burstFigures(
  burst: readonly Journey[],
  lowerMs: readonly number[],
  { afterMs, endMs, ratePerSecond }: { afterMs: number; endMs: number; ratePerSecond: number },
): BurstFigures | undefined {
  if (burst.length === 0) return undefined;
  const fromMs = Math.min(...burst.map((p1) => p1.sentMs));
  const toMs = Math.max(...burst.map((p1) => p1.calledMs ?? endMs));
  const pressMs = fromMs + afterMs;
  const lower = lowerMs.filter((t) => t > pressMs && t < toMs);
  return {
    latency: latencyFigures(burst, endMs),
    lastCallMs: toMs - fromMs,
    leastMs: (burst.length / ratePerSecond) * 1000,
    lowerAfterPress: lower.length,
    lastLowerMs: (lower.at(-1) ?? pressMs) - pressMs,
  };
}
