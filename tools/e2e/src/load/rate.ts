import type { Call } from '../client/sandbox.js';

const SECOND_US = 1_000_000;
/** Above this the sandbox saw calls later than they came. */
const LAG_MS = 10;

/** What reached one account, over all seconds in which the sandbox itself did not stall. */
export interface Rate {
  /** Most units whose calls began within one second, wherever it starts. */
  readonly units: number;
  /** Calls that the provider refused for their rate. */
  readonly throttled: number;
  /** Share of the calls that end such a second, 0 to 1. Below a half the figures say little. */
  readonly judged: number;
}

type Judged = Pick<Call, 'account' | 'atEpochUs' | 'units' | 'outcome' | 'lagMs'>;

/** @param calls with heartbeats (`SandboxView.everything`): they count in the rate. In any order. */
export function rateOf(calls: readonly Judged[], account: string): Rate {
  const own = calls.filter((c) => c.account === account).sort((a, b) => a.atEpochUs - b.atEpochUs);
  let first = 0;
  let inSecond = 0;
  let laggedUs = -Infinity;
  let [units, throttled, judged] = [0, 0, 0];
  for (const call of own) {
    inSecond += call.units;
    for (let old = own[first] as Judged; call.atEpochUs - old.atEpochUs >= SECOND_US;) {
      inSecond -= old.units;
      old = own[++first] as Judged;
    }
    if (call.lagMs > LAG_MS) laggedUs = call.atEpochUs;
    if (call.atEpochUs - laggedUs < SECOND_US) continue;
    judged++;
    units = Math.max(units, inSecond);
    if (call.outcome === 'throttled') throttled++;
  }
  return { units, throttled, judged: own.length === 0 ? 1 : judged / own.length };
}

/** Most units of an account in any second; calls within a second after the sandbox lagged end no such second. */
export const slidingMax = (calls: readonly Judged[], account: string): number => rateOf(calls, account).units;

/** What a contract of `rate` allows within a second as calls arrive, jitter included (promise 3). */
export const arrivingAtMost = (rate: number): number => rate * 1.02 + 1;
