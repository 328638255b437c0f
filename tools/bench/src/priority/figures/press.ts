import type { Journey } from './latency-figures.js';

/** When a P1 presses: it has waited for 25 ms, or for two departures of its pod where those take longer. */
export const pressAfterMs = (ratePerSecond: number, pods: number): number =>
  Math.max(25, (2_000 * pods) / ratePerSecond);

/** Index of the first element that is not below `value`; `sorted` ascends. */
function lowerBound(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * For each P1 that waited longer than `afterMs`: how long lower classes went on starting calls after that moment, up to
 * the last such call before its own. 0 = none started any more.
 * @param lowerMs arrivals of lower-class calls at the provider, ascending
 * @param endMs stands for the call of a P1 that was never called
 */
export function pressDelays(
  p1: readonly Journey[],
  lowerMs: readonly number[],
  afterMs: number,
  endMs: number,
): number[] {
  return p1.flatMap(({ sentMs, calledMs = endMs }) => {
    const pressMs = sentMs + afterMs;
    if (calledMs <= pressMs) return [];
    const last = lowerMs[lowerBound(lowerMs, calledMs) - 1];
    return [last === undefined || last < pressMs ? 0 : last - pressMs];
  });
}
