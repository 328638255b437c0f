import type { SeenCall } from '../../demo/sandbox-feed.js';
import { quantiles } from '@commservice/testkit';
import type { PhaseName, Sent } from '../workload/message-log.js';
import { burstFigures, type BurstFigures } from './burst.js';
import { costFigures, type CostCounts, type CostFigures } from './cost.js';
import { latencyFigures, type Journey, type LatencyFigures } from './latency-figures.js';
import { longestGapMs } from './longest-gap.js';
import { pressAfterMs, pressDelays } from './press.js';
import { busiestSecond } from './sliding-second.js';
import { worstShare, type WorstShare } from './worst-share.js';

/** A call as the sandbox logs it. */
export interface LoggedCall extends SeenCall {
  /** How late the sandbox itself was then: its own event loop. */
  readonly lagMs: number;
}

/** What was seen of one mode, at the provider and beside it. */
export interface Observed {
  readonly sent: readonly Sent[];
  /** Every call of the channel in the order it came, warm-up and heartbeats included. */
  readonly calls: readonly LoggedCall[];
  /** Both edges of the flood, epoch ms. */
  readonly flood: { readonly fromMs: number; readonly toMs: number };
  /** When the last look at the calls was taken, epoch ms. */
  readonly endMs: number;
  /** What was counted in the flood. */
  readonly counts: CostCounts;
}

interface Contract {
  readonly ratePerSecond: number;
  readonly pods: number;
}

/** Both phases of one class. */
interface ClassFigures {
  readonly idle: LatencyFigures;
  readonly flood: LatencyFigures;
}

export interface ModeFigures {
  readonly p1: ClassFigures;
  readonly p2: ClassFigures;
  /** P1 p99 under flood / idle. */
  readonly p99Ratio: number;
  /** Accepted units in the flood / (R × its length). */
  readonly utilisation: number;
  /** The second with most units, as they arrive, refused ones too. */
  readonly busiest: BusiestFigures;
  /** How long lower classes went on starting, at any pod, after a P1 pressed in the flood, ms. */
  readonly press: {
    readonly afterMs: number;
    readonly n: number;
    readonly p99: number;
    readonly max: number;
  };
  /** Longest time without any P3 call in the flood, ms. */
  readonly longestP3GapMs: number;
  /** P3's share of the units sent, in its worst two minutes of the flood. */
  readonly worstP3: WorstShare;
  /** Calls that the provider refused for the rate, warm-up left out. */
  readonly throttled: number;
  /** P1 and P2 that no call had been made for when the run ended. */
  readonly neverCalled: number;
  /** P1 and P2 that were sent more than once. */
  readonly doubled: number;
  /** What a message of the flood costs. */
  readonly cost: CostFigures;
  /** Absent when the run had none. */
  readonly burst?: BurstFigures;
}

interface BusiestFigures {
  /** Its units / R. */
  readonly ofR: number;
  /** When it ended, from the start of the flood, s; below 0 = before it, while the backlog was written. */
  readonly atS: number;
  /** How late the provider itself was in it, ms: what waits for it arrives in one lump. */
  readonly lagMs: number;
}

const went = (call: SeenCall): boolean => call.outcome === 'accepted' || call.outcome === 'duplicate';

/** How often each id was sent, and when first. */
function sendsById(calls: readonly SeenCall[]): Map<string, { firstMs: number; count: number }> {
  const sends = new Map<string, { firstMs: number; count: number }>();
  for (const call of calls.filter(went)) {
    const known = sends.get(call.id);
    if (known) known.count++;
    else sends.set(call.id, { firstMs: call.atMs, count: 1 });
  }
  return sends;
}

function busiestFigures(calls: readonly LoggedCall[], fromMs: number, ratePerSecond: number): BusiestFigures {
  const { units, endMs } = busiestSecond(calls);
  const inIt = calls.filter((c) => c.atMs > endMs - 1_000 && c.atMs <= endMs);
  const lagMs = inIt.reduce((longest, c) => Math.max(longest, c.lagMs), 0);
  return { ofR: units / ratePerSecond, atS: (endMs - fromMs) / 1000, lagMs };
}

/** What the flood's own calls tell. */
function channelFigures(
  { calls, flood, counts }: Observed,
  ratePerSecond: number,
): Pick<ModeFigures, 'utilisation' | 'longestP3GapMs' | 'worstP3' | 'cost'> {
  const inFlood = calls.filter((c) => c.atMs >= flood.fromMs && c.atMs < flood.toMs);
  const accepted = inFlood.filter((c) => c.outcome === 'accepted');
  const units = accepted.reduce((sum, c) => sum + c.units, 0);
  const p3Ms = inFlood.filter((c) => c.priority === 'P3').map((c) => c.atMs);
  return {
    utilisation: units / ((ratePerSecond * (flood.toMs - flood.fromMs)) / 1000),
    longestP3GapMs: longestGapMs(p3Ms, flood.fromMs, flood.toMs),
    worstP3: worstShare(accepted, 'P3', flood),
    cost: costFigures(
      counts,
      accepted.length,
      inFlood.map((c) => c.lagMs),
    ),
  };
}

/** All figures of one mode. A P1's or P2's latency ends at the first call that the provider did not refuse. */
export function modeFigures(seen: Observed, { ratePerSecond, pods }: Contract): ModeFigures {
  const { sent, calls, flood, endMs } = seen;
  const sends = sendsById(calls);
  const urgent = sent.filter((s) => s.priority !== 'P3' && s.phase !== 'warm-up');
  const journeys = (priority: string, phase: PhaseName): Journey[] =>
    urgent
      .filter((s) => s.priority === priority && s.phase === phase)
      .map((s) => ({ sentMs: s.atMs, calledMs: sends.get(s.id)?.firstMs }));
  const classFigures = (priority: string): ClassFigures => ({
    idle: latencyFigures(journeys(priority, 'idle'), endMs),
    flood: latencyFigures(journeys(priority, 'flood'), endMs),
  });
  const afterMs = pressAfterMs(ratePerSecond, pods);
  const lowerMs = calls.filter((c) => c.priority !== 'P1').map((c) => c.atMs);
  const press = quantiles(pressDelays(journeys('P1', 'flood'), lowerMs, afterMs, endMs));
  const burst = burstFigures(journeys('P1', 'burst'), lowerMs, { afterMs, endMs, ratePerSecond });
  const measured = calls.filter((c) => c.atMs >= (urgent[0]?.atMs ?? 0));
  const p1 = classFigures('P1');
  return {
    p1,
    p2: classFigures('P2'),
    p99Ratio: p1.flood.p99 / p1.idle.p99,
    ...channelFigures(seen, ratePerSecond),
    busiest: busiestFigures(measured, flood.fromMs, ratePerSecond),
    press: { afterMs, n: press.n, p99: press.p99, max: press.max },
    throttled: measured.filter((c) => c.outcome === 'throttled').length,
    neverCalled: urgent.filter((s) => !sends.has(s.id)).length,
    doubled: urgent.filter((s) => (sends.get(s.id)?.count ?? 0) > 1).length,
    ...(burst ? { burst } : {}),
  };
}
