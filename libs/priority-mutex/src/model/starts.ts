import type { Priority } from '@commservice/contracts';

/** One send that started. */
export interface Start {
  readonly atMs: number;
  readonly pod: number;
  readonly priority: Priority;
  readonly units: number;
  readonly waitMs: number;
  /** What its units were granted for. */
  readonly departuresMs: readonly number[];
}

/** Largest number of units in any second. */
function peak(events: { readonly atMs: number; readonly units: number }[]): number {
  const sorted = [...events].sort((a, b) => a.atMs - b.atMs);
  let most = 0;
  let sum = 0;
  let from = 0;
  for (const e of sorted) {
    sum += e.units;
    while (e.atMs - (sorted[from] as typeof e).atMs >= 1000 - 1e-6) sum -= (sorted[from++] as typeof e).units;
    most = Math.max(most, sum);
  }
  return most;
}

/** Largest number of units started in any second. */
export const peakUnits = (starts: readonly Pick<Start, 'atMs' | 'units'>[]): number => peak([...starts]);

/** Largest number of units granted for any second. */
export const peakGranted = (starts: readonly Start[]): number =>
  peak(starts.flatMap((s) => s.departuresMs.map((atMs) => ({ atMs, units: 1 }))));

export function quantile(values: readonly number[], q: number): number {
  const v = [...values].sort((a, b) => a - b);
  return v[Math.min(v.length - 1, Math.max(0, Math.ceil(q * v.length) - 1))] ?? NaN;
}

export const unitsOf = (starts: readonly Pick<Start, 'units'>[]): number =>
  starts.reduce((sum, s) => sum + s.units, 0);
