import type { Call } from '../client/sandbox.js';
import type { SentMessage } from '../load/load.js';

/** When a waiting code presses: after 25 ms, or two departures of its pod where those take longer. */
export const pressAfterMs = (ratePerSecond: number, pods: number): number =>
  Math.max(25, (2_000 * pods) / ratePerSecond);

/**
 * For each code that waited longer than `afterMs` from its acceptance: how long after that moment the last lower-class call
 * before its own started, ms; 0 = none did. `calls` are those of
 * the account that lower classes use, and of the others that a code may go to.
 */
export function pressDelaysMs(
  codes: readonly Pick<SentMessage, 'id' | 'acceptedAtMs'>[],
  calls: readonly Pick<Call, 'id' | 'priority' | 'atEpochUs'>[],
  afterMs: number,
): number[] {
  const lower = calls
    .filter((c) => c.priority !== 'P1')
    .map((c) => c.atEpochUs / 1000)
    .sort((a, b) => a - b);
  const calledAt = new Map(calls.filter((c) => c.priority === 'P1').map((c) => [c.id, c.atEpochUs / 1000]));
  return codes.flatMap(({ id, acceptedAtMs }) => {
    const pressMs = acceptedAtMs + afterMs;
    const called = calledAt.get(id) ?? Infinity;
    if (called <= pressMs) return [];
    const last = lower.findLast((t) => t < called);
    return [last === undefined || last < pressMs ? 0 : last - pressMs];
  });
}
