import { quantiles } from '@commservice/testkit';

/** What was counted beside the calls while the flood lasted. */
export interface CostCounts {
  /** Processor time of all dispatcher processes. */
  readonly cpuSeconds: number;
  /** Commands that Redis ran, by name; those inside scripts count too. */
  readonly redisCommands: Readonly<Record<string, number>>;
  /** What our own dispatchers said of themselves; absent for peers. */
  readonly pods?: {
    /** Calls to the coordinator: leases, those of the poll too. */
    readonly leaseCalls: number;
    /** Event-loop delay of the worst process, ms. */
    readonly loopP99Ms: number;
    readonly loopMaxMs: number;
  };
}

/** What a message of the flood costs, over all dispatcher processes. */
export interface CostFigures {
  readonly cpuMsPerMessage: number;
  readonly redis: {
    /** Scripts run: one round trip each. */
    readonly scriptsPerMessage: number;
    /** All commands, those inside scripts too. */
    readonly commandsPerMessage: number;
    readonly commands: Readonly<Record<string, number>>;
  };
  /** Absent for peers. */
  readonly coordinator?: {
    /** Leases (those of the poll too) and edges published. */
    readonly perMessage: number;
    readonly leases: number;
    readonly publishes: number;
    /** All other scripts: claims, for the most part. */
    readonly otherScriptsPerMessage: number;
  };
  /** How late the event loop of the worst dispatcher ran, ms; absent for peers. */
  readonly loop?: { readonly p99: number; readonly max: number };
  /** How late the provider itself was at each call, ms. */
  readonly providerLag: { readonly p99: number; readonly max: number };
}

/**
 * @param messages sent in the flood
 * @param lagsMs of every call in the flood
 */
export function costFigures(counts: CostCounts, messages: number, lagsMs: readonly number[]): CostFigures {
  const { cpuSeconds, redisCommands: commands, pods } = counts;
  const all = Object.values(commands).reduce((a, b) => a + b, 0);
  const scripts = (commands.evalsha ?? 0) + (commands.eval ?? 0);
  const lag = quantiles(lagsMs);
  const cost = {
    cpuMsPerMessage: (cpuSeconds * 1000) / messages,
    redis: { scriptsPerMessage: scripts / messages, commandsPerMessage: all / messages, commands },
    providerLag: { p99: lag.p99, max: lag.max },
  };
  if (!pods) return cost;
  const publishes = commands.publish ?? 0;
  return {
    ...cost,
    coordinator: {
      perMessage: (pods.leaseCalls + publishes) / messages,
      leases: pods.leaseCalls,
      publishes,
      otherScriptsPerMessage: Math.max(0, scripts - pods.leaseCalls) / messages,
    },
    loop: { p99: pods.loopP99Ms, max: pods.loopMaxMs },
  };
}
