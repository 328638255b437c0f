import { PACE, STOCK_SHARE, type ScopeState } from './scope-state.js';

const EPSILON = 1e-9;

export const dueOf = (s: ScopeState, slot: number): number => s.originMs + slot * s.stepMs;

/** Due time of the last slot that is held, or -Infinity. */
function lastHeldMs(s: ScopeState): number {
  const i = s.owners.findLastIndex((o) => o !== 0);
  return i < 0 ? -Infinity : dueOf(s, s.base + i);
}

/**
 * Starts a new grid when the rate changed; its first slot comes after all that was granted or is past, by a grid before this
 * one too. After a rate so small that what it granted for a second fits the standing stock, it starts now: its slots reach
 * far ahead, and nothing would depart until the last of them.
 */
export function followRate(s: ScopeState, ratePerSecond: number, nowMs: number): void {
  const stepMs = 1000 / (ratePerSecond * PACE);
  if (Math.abs(stepMs - s.stepMs) < EPSILON) return;
  const wasTiny = s.stepMs > 0 && stepMs <= STOCK_SHARE * s.stepMs;
  const origin = wasTiny ? nowMs : Math.max(nowMs, dueOf(s, s.base), lastHeldMs(s) + stepMs);
  Object.assign(s, { stepMs, originMs: origin, grid: s.grid + 1, base: 0, owners: [] });
}

/** Drops slots that are past and opens those up to the horizon. Returns how many slots lie within it. */
export function moveWindow(s: ScopeState, nowMs: number, horizonMs: number): number {
  const first = Math.max(s.base, Math.ceil((nowMs - s.originMs) / s.stepMs - EPSILON));
  const past = first - s.base;
  if (past >= s.owners.length) s.owners = [];
  else if (past > 0) s.owners = s.owners.slice(past);
  s.base = first;
  const size = Math.floor((nowMs + horizonMs - s.originMs) / s.stepMs + EPSILON) - first + 1;
  while (s.owners.length < size) s.owners.push(0);
  return Math.max(0, size);
}

/** Frees those of `slots` that `ordinal` holds. Returns how many. */
export function release(s: ScopeState, ordinal: number, slots: readonly number[]): number {
  let freed = 0;
  for (const slot of slots) {
    const i = slot - s.base;
    if (i < 0 || i >= s.owners.length || s.owners[i] !== ordinal) continue;
    s.owners[i] = 0;
    freed++;
  }
  return freed;
}

/** Whether a slot is one of the evenly spread `part` of all. */
const belongs = (slot: number, part: number): boolean =>
  part >= 1 || Math.floor((slot + 1) * part + EPSILON) > Math.floor(slot * part + EPSILON);

/**
 * Takes up to `count` free slots for a pod, one in every 1 / `weight` after its last: pods that lease one after the other
 * come out interleaved. What cannot be placed so is taken from the slots due before `lastCallMs`, which the others had a
 * whole tick to take.
 * @param part of all slots that may be granted, 0 to 1: however often pods ask, together they get no more than that
 */
export function takeSpread(
  s: ScopeState,
  size: number,
  ordinal: number,
  count: number,
  weight: number,
  lastCallMs: number,
  part: number,
): number[] {
  const taken: number[] = [];
  const stride = 1 / weight;
  let next = 0;
  for (let i = 0; i < size && taken.length < count; i++) {
    if (s.owners[i] === ordinal) next = Math.max(next, i) + stride;
    else if (s.owners[i] === 0 && i >= next - EPSILON && belongs(s.base + i, part)) {
      s.owners[i] = ordinal;
      taken.push(s.base + i);
      next = Math.max(next, i - stride) + stride;
    }
  }
  for (let i = 0; i < size && taken.length < count && dueOf(s, s.base + i) < lastCallMs; i++) {
    if (s.owners[i] !== 0 || !belongs(s.base + i, part)) continue;
    s.owners[i] = ordinal;
    taken.push(s.base + i);
  }
  return taken;
}

/** Takes the first free slot at or after `fromMs`; undefined when there is none within the window. */
export function takeFrom(s: ScopeState, size: number, ordinal: number, fromMs: number): number | undefined {
  for (let i = 0; i < size; i++) {
    if (s.owners[i] !== 0 || dueOf(s, s.base + i) < fromMs - EPSILON) continue;
    s.owners[i] = ordinal;
    return s.base + i;
  }
  return undefined;
}
