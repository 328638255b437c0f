import { PRIORITIES, type Priority } from '@commservice/contracts';
import { patienceMs } from './gate/press.js';
import { blockedAt, isActive, wanted } from './lease-request.js';
import type { ScopeParts } from './scope-parts.js';
import { usable } from './tokens/demand.js';

/** Least time between two calls for an edge, ms: P1's at once, the lower classes' gathered, less so while R is not used up. */
export const P1_GAP_MS = 2;
const LOWER_GAP_MS = 25;
const FREE_GAP_MS = 5;
const SILENT_GAP_MS = 10;
/** Past the end of a patience, so that the look finds it over. */
const JUST_AFTER_MS = 0.1;

/** When this pod called last, and since when it has told each class's press. */
export interface CallTimes {
  lastCallMs: number;
  readonly lastPressMs: Record<Priority, number>;
}

/** When the next call is due: at once for an edge, else by the tick, the press refresh or the poll. */
export function nextCallMs(p: ScopeParts, times: CallTimes, now: number): number {
  const { timing, gate, facts, departures } = p;
  const pressing = gate.evaluate(now);
  const tick = times.lastCallMs + (isActive(p) ? timing.tickMs : timing.pollMs);
  // What is held lasts half a tick longer than a tick: an unanswered call is repeated sooner.
  if (facts.silent) return Math.min(tick, times.lastCallMs + timing.deadlineMs + SILENT_GAP_MS);
  const demand = wanted(p);
  const blocked = blockedAt(p, now);
  const held = departures.heldUnits;
  const missing = usable(demand, blocked) > held;
  const grew = (c: Priority): boolean => missing && !blocked(c) && demand[c] > facts.asked[c];
  const untold = pressing.some((c) => now - times.lastPressMs[c] >= timing.pressRefreshMs);
  // Covered, the pod was given all it wanted: what is missing went to a class that did not ask for it, or is new.
  const free = missing && facts.covered;
  if (untold || grew('P1') || (free && demand.P1 > held)) return times.lastCallMs + P1_GAP_MS;
  const refresh = pressing.length > 0 ? times.lastCallMs + timing.pressRefreshMs : Infinity;
  const lower = grew('P2') || grew('P3') ? times.lastCallMs + LOWER_GAP_MS : Infinity;
  return Math.min(tick, refresh, lower, free ? times.lastCallMs + FREE_GAP_MS : Infinity);
}

/** The next departure, end of patience or end of a hold that matters to something waiting. */
export function nextStartMs(p: ScopeParts, now: number): number {
  const { seats, gate, departures, facts, timing } = p;
  let at = Infinity;
  for (const priority of PRIORITIES) {
    for (const w of seats.waiting(priority)) {
      if (w.units === 0) continue;
      const answer = gate.check(priority, now);
      const open = answer.kind === 'open';
      const due = open ? departures.dueOfNth(1) : departures.nextMinimumDue(priority === 'P2' ? 1 : 2);
      at = Math.min(at, due ?? Infinity, open ? Infinity : answer.untilMs);
      const patience = patienceMs(priority, w.nextUnits, facts.pods, facts.ratePerSecond, timing);
      const pressesAt = (w.oldestSince ?? now) + patience;
      if (pressesAt > now) at = Math.min(at, pressesAt + JUST_AFTER_MS);
    }
  }
  return at;
}
