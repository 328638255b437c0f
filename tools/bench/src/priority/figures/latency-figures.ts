import { quantiles } from '@commservice/testkit';

/** How long the messages of one class and phase waited, ms. */
export interface LatencyFigures {
  readonly n: number;
  /** Messages that no call had been made for when the run ended; their age then stands for their latency. */
  readonly waiting: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  /** Figures from here on are lower bounds; absent when nothing waited. */
  readonly atLeastFromMs?: number;
}

/** One message's way: `calledMs` is undefined while it waits. */
export interface Journey {
  readonly sentMs: number;
  readonly calledMs: number | undefined;
}

/** @param endMs when the run ended: what was not called by then has waited at least so long */
export function latencyFigures(journeys: readonly Journey[], endMs: number): LatencyFigures {
  const ages = journeys.filter((j) => j.calledMs === undefined).map((j) => endMs - j.sentMs);
  const latencies = journeys.map((j) => (j.calledMs ?? endMs) - j.sentMs);
  const { n, p50, p95, p99, max } = quantiles(latencies);
  const bound = ages.length > 0 ? { atLeastFromMs: Math.min(...ages) } : {};
  return { n, waiting: ages.length, p50, p95, p99, max, ...bound };
}
