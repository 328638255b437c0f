import { parseArgs } from 'node:util';
import { BenchFault } from '../fault.js';
import { isOwn, MODES, type Mode } from './mode.js';

export const PRIORITY_USAGE = `npm run bench -- priority [--modes contention,strict,…] [--seconds 20] [--backlog 20000] [--rate 200] [--p1-percent 10]
    [--latency-ms 20] [--pods 1|2|4] [--layout one|own] [--burst 1000] [--sweep <flag> [--values 1,2,…]] [--name <file>]`;

const LAYOUTS = ['one', 'own'] as const;
/** `one`: every process runs all lanes. `own`: half of the processes run P1 alone, the others P2 and P3. */
export type Layout = (typeof LAYOUTS)[number];

/** The workload, the same for every mode. */
export interface PriorityOptions {
  readonly modes: readonly Mode[];
  /** Length of each phase. */
  readonly seconds: number;
  /** P3 that wait when the flood begins. */
  readonly backlog: number;
  /** R: units a second that the provider's contract allows. */
  readonly ratePerSecond: number;
  readonly p1PerSecond: number;
  readonly p2PerSecond: number;
  /** How long the provider takes to answer. */
  readonly latencyMs: number;
  /** Dispatcher processes. */
  readonly pods: number;
  readonly layout: Layout;
  /** P1 at once after the flood, under what is left of the backlog; 0 = no such phase. */
  readonly burst: number;
}

/** Every flag of the workload with its default; an empty backlog is as long as the run needs. */
const DEFAULTS = {
  modes: MODES.join(','),
  seconds: '20',
  backlog: '',
  rate: '200',
  'p1-percent': '10',
  'latency-ms': '20',
  pods: '2',
  layout: 'one',
  burst: '0',
};
export type WorkloadFlag = keyof typeof DEFAULTS;
export type WorkloadTexts = Readonly<Partial<Record<WorkloadFlag, string>>>;
/** What the plan of a run reads beside the workload. */
export type PlanTexts = Readonly<Partial<Record<'sweep' | 'values' | 'name', string>>>;

/** P2's share of R. */
const P2_SHARE = 0.025;
/** As many processes as the platform has sms pods for. */
const POD_COUNTS = [1, 2, 4];
const LEAST_BACKLOG = 20_000;
/** What the dispatchers take before and between the phases comes on top of what a phase needs. */
const BACKLOG_SPARE = 1.25;
/** From the end of the flood to the burst: until the last P1 and P2 of the flood have gone. */
const BEFORE_BURST_S = 12;

/** Reads the workload's flags. Throws a BenchFault that names the faulty flag. */
export function readPriorityOptions(args: readonly string[]): PriorityOptions {
  return workloadOf(readFlags(args));
}

/** The flags of `npm run bench -- priority` as they were written. Throws a BenchFault for one that it does not know. */
export function readFlags(args: readonly string[]): WorkloadTexts & PlanTexts {
  const option = { type: 'string' } as const;
  try {
    const flags = [...Object.keys(DEFAULTS), 'sweep', 'values', 'name'];
    return parseArgs({ args: [...args], options: Object.fromEntries(flags.map((f) => [f, option])) }).values;
  } catch (error) {
    throw new BenchFault(`${(error as Error).message}\nUsage:\n  ${PRIORITY_USAGE}`);
  }
}

/** The workload that flags ask for; absent ones have their defaults. */
export function workloadOf(given: WorkloadTexts): PriorityOptions {
  const values = { ...DEFAULTS, ...given };
  const number = (flag: WorkloadFlag): number => positive(flag, values[flag]);
  const ratePerSecond = number('rate');
  const seconds = number('seconds');
  const burst = values.burst === '0' ? 0 : number('burst');
  const least = Math.ceil((seconds + (burst > 0 ? BEFORE_BURST_S : 0)) * ratePerSecond);
  const options = {
    modes: values.modes.split(',').map(modeOf),
    seconds,
    backlog: values.backlog === '' ? Math.max(LEAST_BACKLOG, BACKLOG_SPARE * least) : number('backlog'),
    ratePerSecond,
    p1PerSecond: (ratePerSecond * number('p1-percent')) / 100,
    p2PerSecond: ratePerSecond * P2_SHARE,
    latencyMs: number('latency-ms'),
    pods: number('pods'),
    layout: layoutOf(values.layout),
    burst,
  };
  refuse(options, least);
  return options;
}

function refuse({ modes, pods, layout, backlog }: PriorityOptions, least: number): void {
  if (!POD_COUNTS.includes(pods)) throw new BenchFault(`--pods must be one of ${POD_COUNTS.join(', ')}.`);
  if (backlog < least)
    throw new BenchFault(
      `--backlog must be at least ${least}: a smaller one is gone before the flood is over.`,
    );
  if (layout === 'one') return;
  if (pods < 2) throw new BenchFault('--layout own needs --pods 2 or 4.');
  const peer = modes.find((mode) => !isOwn(mode));
  if (peer) throw new BenchFault(`--layout own is for our own modes; not for "${peer}".`);
}

function positive(flag: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new BenchFault(`--${flag} must be a number above 0.`);
  return value;
}

function layoutOf(text: string): Layout {
  const layout = LAYOUTS.find((l) => l === text);
  if (!layout) throw new BenchFault(`--layout must be one of ${LAYOUTS.join(', ')}.`);
  return layout;
}

function modeOf(name: string): Mode {
  const mode = MODES.find((m) => m === name.trim());
  if (!mode) throw new BenchFault(`--modes knows ${MODES.join(', ')}; not "${name}".`);
  return mode;
}
