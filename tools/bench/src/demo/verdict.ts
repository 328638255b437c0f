import type { Phase } from './phase.js';

/** Promise 1 for two pods: what P1's p99 may be under a flood, ms. */
export function boundMs(idleP99Ms: number, ratePerSecond: number, pods: number): number {
  const relative = Math.max(1.25 * idleP99Ms, idleP99Ms + (2_000 * pods) / ratePerSecond + 5);
  return Math.min(relative, idleP99Ms + 100);
}

/** The last lines of the demo. */
export function verdictOf(
  idle: Phase,
  flood: Phase,
  facts: { ratePerSecond: number; pods: number; refused: number },
): { holds: boolean; lines: string[] } {
  const before = idle.classes.P1.latency.p99;
  const under = flood.classes.P1.latency.p99;
  const bound = boundMs(before, facts.ratePerSecond, facts.pods);
  const used = flood.utilisation;
  const holds = under <= bound && used >= 0.95 && facts.refused === 0;
  return {
    holds,
    lines: [
      `P1 p99 idle         ${before.toFixed(1)} ms`,
      `P1 p99 under flood  ${under.toFixed(1)} ms (bound ${bound.toFixed(1)} ms)`,
      `ratio               ${(under / before).toFixed(2)}`,
      `rate used           ${(used * 100).toFixed(1)} % of ${facts.ratePerSecond}/s`,
      ...(facts.refused > 0 ? [`not accepted        ${facts.refused}`] : []),
      holds ? 'P1 is safe.' : 'P1 is NOT safe, or the rate is not used.',
    ],
  };
}
