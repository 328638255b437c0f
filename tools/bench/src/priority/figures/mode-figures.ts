import type { SeenCall } from '../../demo/sandbox-feed.js';
import { quantiles } from '../../quantiles.js';
import type { PhaseName, Sent } from '../workload/message-log.js';
import { latencyFigures, type Journey, type LatencyFigures } from './latency-figures.js';
import { longestGapMs } from './longest-gap.js';
import { pressAfterMs, pressDelays } from './press.js';
import { busiestSecond } from './sliding-second.js';

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
  /** Processor time of all dispatcher processes in the flood. */
  readonly cpuSeconds: number;
  /** Commands that Redis ran in the flood, by name; those inside scripts count too. */
  readonly redisCommands: Readonly<Record<string, number>>;
}

interface Contract {
  readonly ratePerSecond: number;
  readonly pods: number;
}

export interface ModeFigures {
  readonly p1: { readonly idle: LatencyFigures; readonly flood: LatencyFigures };
  readonly p2: { readonly idle: LatencyFigures; readonly flood: LatencyFigures };
  /** P1 p99 under flood / idle. */
  readonly p99Ratio: number;
  /** Accepted units in the flood / (R × its length). */
  readonly utilisation: number;
  /** Most units in any second, as they arrive, refused ones too / R. */
  readonly slidingSecond: number;
  /** When that second ended, from the start of the flood, s; below 0 = before it, while the backlog was written. */
  readonly slidingSecondAtS: number;
  /** How late the provider itself was in that second, ms: what waits for it arrives in one lump. */
  readonly slidingSecondLagMs: number;
  /** How long lower classes went on starting after a P1 pressed, ms. */
  readonly press: {
    readonly afterMs: number;
    readonly n: number;
    readonly p99: number;
    readonly max: number;
  };
  /** Longest time without any P3 call in the flood, ms. */
  readonly longestP3GapMs: number;
  /** Calls that the provider refused for the rate, warm-up left out. */
  readonly throttled: number;
  /** P1 and P2 that no call had been made for when the run ended. */
  readonly neverCalled: number;
  /** P1 and P2 that were sent more than once. */
  readonly doubled: number;
  /** Of all dispatcher processes, in the flood. */
  readonly cpuMsPerMessage: number;
  readonly redis: {
    /** Scripts run: one round trip each. */
    readonly scriptsPerMessage: number;
    /** All commands, those inside scripts too. */
    readonly commandsPerMessage: number;
    readonly commands: Readonly<Record<string, number>>;
  };
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

function redisFigures(commands: Readonly<Record<string, number>>, messages: number): ModeFigures['redis'] {
  const all = Object.values(commands).reduce((a, b) => a + b, 0);
  const scripts = (commands.evalsha ?? 0) + (commands.eval ?? 0);
  return { scriptsPerMessage: scripts / messages, commandsPerMessage: all / messages, commands };
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
  const latency = (priority: string, phase: PhaseName): LatencyFigures =>
    latencyFigures(journeys(priority, phase), endMs);
  const inFlood = calls.filter((c) => c.atMs >= flood.fromMs && c.atMs < flood.toMs);
  const accepted = inFlood.filter((c) => c.outcome === 'accepted');
  const units = accepted.reduce((sum, c) => sum + c.units, 0);
  const lowerMs = calls.filter((c) => c.priority !== 'P1').map((c) => c.atMs);
  const afterMs = pressAfterMs(ratePerSecond, pods);
  const press = quantiles(pressDelays(journeys('P1', 'flood'), lowerMs, afterMs, endMs));
  const p1 = { idle: latency('P1', 'idle'), flood: latency('P1', 'flood') };
  const p3Ms = inFlood.filter((c) => c.priority === 'P3').map((c) => c.atMs);
  const measured = calls.filter((c) => c.atMs >= (urgent[0]?.atMs ?? 0));
  const busiest = busiestSecond(measured);
  const inBusiest = measured.filter((c) => c.atMs > busiest.endMs - 1_000 && c.atMs <= busiest.endMs);
  return {
    p1,
    p2: { idle: latency('P2', 'idle'), flood: latency('P2', 'flood') },
    p99Ratio: p1.flood.p99 / p1.idle.p99,
    utilisation: units / ((ratePerSecond * (flood.toMs - flood.fromMs)) / 1000),
    slidingSecond: busiest.units / ratePerSecond,
    slidingSecondAtS: (busiest.endMs - flood.fromMs) / 1000,
    slidingSecondLagMs: Math.max(0, ...inBusiest.map((c) => c.lagMs)),
    press: { afterMs, n: press.n, p99: press.p99, max: press.max },
    longestP3GapMs: longestGapMs(p3Ms, flood.fromMs, flood.toMs),
    throttled: measured.filter((c) => c.outcome === 'throttled').length,
    neverCalled: urgent.filter((s) => !sends.has(s.id)).length,
    doubled: urgent.filter((s) => (sends.get(s.id)?.count ?? 0) > 1).length,
    cpuMsPerMessage: (seen.cpuSeconds * 1000) / accepted.length,
    redis: redisFigures(seen.redisCommands, accepted.length),
  };
}
