/** Units of one class that went at one time. */
export interface ClassUnits {
  readonly atMs: number;
  readonly units: number;
  readonly priority: string;
}

export interface WorstShare {
  /** Length of the window, ms: 2 minutes, or the whole time when that is shorter. */
  readonly windowMs: number;
  /** The class's units / all units in its worst window; NaN when nothing went in any. */
  readonly share: number;
}

const WINDOW_MS = 120_000;

/** The smallest share of a class in any window of 2 minutes that lies within `fromMs` to `toMs`. `calls` in order of time. */
export function worstShare(
  calls: readonly ClassUnits[],
  priority: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): WorstShare {
  const windowMs = Math.min(WINDOW_MS, toMs - fromMs);
  const inside = calls.filter((c) => c.atMs >= fromMs && c.atMs < toMs);
  let [all, own, last, share] = [0, 0, 0, NaN];
  const add = (call: ClassUnits, sign: 1 | -1): void => {
    all += sign * call.units;
    if (call.priority === priority) own += sign * call.units;
  };
  // windows that begin at the edge and right after each call: the others differ by one call at most
  for (let first = -1; first < inside.length; first++) {
    const gone = inside[first];
    if (gone && first < last) add(gone, -1);
    else last = first + 1;
    const beginMs = gone ? gone.atMs : fromMs;
    if (gone && beginMs + windowMs >= toMs) break;
    for (let next = inside[last]; next && next.atMs <= beginMs + windowMs; next = inside[++last])
      add(next, 1);
    if (all > 0 && !(own / all >= share)) share = own / all;
  }
  return { windowMs, share };
}
