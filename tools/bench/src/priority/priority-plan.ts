import { BenchFault } from '../fault.js';
import type { Mode } from './mode.js';
import {
  readFlags,
  workloadOf,
  type PriorityOptions,
  type WorkloadFlag,
  type WorkloadTexts,
} from './priority-options.js';

/** The flags that a sweep can run through, each with the values it takes when none are given. */
const SWEEPS = {
  'p1-percent': '1,10,50,100',
  rate: '5,50,200,2000',
  pods: '1,2,4',
  backlog: '10000,100000,1000000',
  'latency-ms': '20,200',
  layout: 'one,own',
  burst: '100,1000',
} as const satisfies Partial<Record<WorkloadFlag, string>>;
type SweepFlag = keyof typeof SWEEPS;

/** One line of the result. */
export interface PlannedRun {
  /** The mode's name; in a sweep the flag's value too. */
  readonly label: string;
  readonly mode: Mode;
  readonly options: PriorityOptions;
}

/** All that one command runs. */
export interface PriorityPlan {
  /** Name of the result files. */
  readonly name: string;
  /** The flag that is swept; absent when all lines have one workload. */
  readonly sweep?: SweepFlag;
  /** The workload of the first line. */
  readonly options: PriorityOptions;
  readonly runs: readonly PlannedRun[];
}

/** Reads the flags of `npm run bench -- priority`. Throws a BenchFault that names the faulty one. */
export function readPriorityPlan(args: readonly string[]): PriorityPlan {
  const { sweep, values, name, ...workload } = readFlags(args);
  if (name !== undefined && !/^[\w-]+$/.test(name)) throw new BenchFault('--name must be a plain file name.');
  if (sweep !== undefined) return sweepPlan(flagOf(sweep), values, name, workload);
  if (values !== undefined) throw new BenchFault('--values goes with --sweep.');
  const options = workloadOf(workload);
  const runs = options.modes.map((mode) => ({ label: mode, mode, options }));
  return { name: name ?? 'priority', options, runs };
}

function flagOf(text: string): SweepFlag {
  const flag = Object.keys(SWEEPS).find((known) => known === text);
  if (!flag) throw new BenchFault(`--sweep knows ${Object.keys(SWEEPS).join(', ')}; not "${text}".`);
  return flag as SweepFlag;
}

function sweepPlan(
  flag: SweepFlag,
  values: string | undefined,
  name: string | undefined,
  workload: WorkloadTexts,
): PriorityPlan {
  const runs = (values ?? SWEEPS[flag]).split(',').flatMap((text): PlannedRun[] => {
    const value = text.trim();
    const options = workloadOf({ modes: 'contention', ...workload, [flag]: value });
    return options.modes.map((mode) => ({ label: `${mode}, ${flag} ${value}`, mode, options }));
  });
  const [first] = runs as [PlannedRun];
  return { name: name ?? `priority-${flag}`, sweep: flag, options: first.options, runs };
}
