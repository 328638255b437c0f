import { parseArgs } from 'node:util';
import { BenchFault } from '../fault.js';
import { MODES, type Mode } from './mode.js';

export const PRIORITY_USAGE =
  'npm run bench -- priority [--modes contention,strict,…] [--seconds 20] [--backlog 20000] [--rate 200] [--p1-percent 10] [--latency-ms 20] [--pods 2]';

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
}

const DEFAULTS = {
  modes: MODES.join(','),
  seconds: '20',
  backlog: '20000',
  rate: '200',
  'p1-percent': '10',
  'latency-ms': '20',
  pods: '2',
};
/** P2's share of R. */
const P2_SHARE = 0.025;
/** Own modes run the two sms pods of the platform, or its first. */
const MOST_PODS = 2;

/** Reads the flags of `npm run bench -- priority`. Throws a BenchFault that names the faulty flag. */
export function readPriorityOptions(args: readonly string[]): PriorityOptions {
  const values = { ...DEFAULTS, ...valuesOf(args) };
  const number = (flag: keyof typeof DEFAULTS): number => positive(flag, values[flag]);
  const ratePerSecond = number('rate');
  const options = {
    modes: values.modes.split(',').map(modeOf),
    seconds: number('seconds'),
    backlog: number('backlog'),
    ratePerSecond,
    p1PerSecond: (ratePerSecond * number('p1-percent')) / 100,
    p2PerSecond: ratePerSecond * P2_SHARE,
    latencyMs: number('latency-ms'),
    pods: number('pods'),
  };
  if (!Number.isInteger(options.pods) || options.pods > MOST_PODS)
    throw new BenchFault(`--pods must be 1 or ${MOST_PODS}.`);
  const least = Math.ceil(options.seconds * ratePerSecond);
  if (options.backlog < least)
    throw new BenchFault(
      `--backlog must be at least ${least}: a smaller one is gone before the flood is over.`,
    );
  return options;
}

function valuesOf(args: readonly string[]): Partial<typeof DEFAULTS> {
  const option = { type: 'string' } as const;
  try {
    const options = Object.fromEntries(Object.keys(DEFAULTS).map((flag) => [flag, option]));
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new BenchFault(`${(error as Error).message}\nUsage:\n  ${PRIORITY_USAGE}`);
  }
}

function positive(flag: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new BenchFault(`--${flag} must be a number above 0.`);
  return value;
}

function modeOf(name: string): Mode {
  const mode = MODES.find((m) => m === name.trim());
  if (!mode) throw new BenchFault(`--modes knows ${MODES.join(', ')}; not "${name}".`);
  return mode;
}
