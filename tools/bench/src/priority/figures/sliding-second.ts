/** Units that reached the provider at one time. */
export interface Used {
  readonly atMs: number;
  readonly units: number;
}

export interface BusiestSecond {
  readonly units: number;
  /** When it ended, on the clock of the calls; NaN without a call. */
  readonly endMs: number;
}

/** The second with most units, wherever it begins; the first of equal ones. `calls` in order of time. */
export function busiestSecond(calls: readonly Used[]): BusiestSecond {
  let busiest: BusiestSecond = { units: 0, endMs: NaN };
  let units = 0;
  let first = 0;
  for (const call of calls) {
    units += call.units;
    for (let old = calls[first]; old && call.atMs - old.atMs >= 1_000; old = calls[++first])
      units -= old.units;
    if (units > busiest.units) busiest = { units, endMs: call.atMs };
  }
  return busiest;
}
