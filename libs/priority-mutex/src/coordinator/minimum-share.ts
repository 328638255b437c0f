import { PRIORITIES, type MutexMode } from '@commservice/contracts';
import type { GrantedSlot, LeaseRequest } from './coordinator.js';
import { MINIMUM_SHARE, P1_FULL, P1_WINDOW_S, type PodState, type ScopeState } from './scope-state.js';
import { dueOf, takeFrom } from './slot-grid.js';

/** Which classes may start nothing: some class above presses in some pod. */
export function blockedClasses(s: ScopeState, mode: MutexMode, nowMs: number): boolean[] {
  if (mode === 'noop') return [false, false, false];
  const presses = [0, 1].map((c) => [...s.pods.values()].some((p) => (p.press[c] ?? 0) > nowMs));
  return [false, presses[0] === true, presses[0] === true || presses[1] === true];
}

/** Adds P1 units to the count of the current second and forgets what is older than the window. */
export function noteP1(s: ScopeState, units: number, nowMs: number): void {
  const second = Math.floor(nowMs / 1000);
  s.p1Started = s.p1Started.filter((e) => e.second > second - P1_WINDOW_S - 1);
  if (units <= 0) return;
  const entry = s.p1Started.find((e) => e.second === second);
  if (entry) entry.units += units;
  else s.p1Started.push({ second, units });
}

/**
 * Whether P1 took less than 80 % of R over the last 10 s: only then is there a minimum share to give. Of the second in which
 * those 10 s began only what is left of it counts, or they would be up to 11.
 */
function p1LeavesRoom(s: ScopeState, rate: number, nowMs: number): boolean {
  const first = Math.floor(nowMs / 1000) - P1_WINDOW_S;
  const left = 1 - (nowMs / 1000 - Math.floor(nowMs / 1000));
  const started = s.p1Started.reduce((sum, e) => sum + e.units * (e.second === first ? left : 1), 0);
  return started < P1_FULL * rate * P1_WINDOW_S;
}

/** Keeps since when each class is blocked: reset only by a lease in which a pod that wants the class finds it open. */
export function noteBlocked(
  s: ScopeState,
  r: LeaseRequest,
  blocked: readonly boolean[],
  nowMs: number,
): void {
  for (const [i, priority] of PRIORITIES.entries()) {
    const c = i as 0 | 1 | 2;
    const wanted = [...s.pods.values()].some((p) => p.demand[c] > 0);
    if (!blocked[c]) {
      if (r.demand[priority] > 0 || !wanted) s.blockedSince[c] = 0;
    } else if (s.blockedSince[c] === 0 && wanted) s.blockedSince[c] = nowMs;
  }
}

interface Window {
  readonly size: number;
  readonly blocked: readonly boolean[];
  readonly rate: number;
  readonly nowMs: number;
}

/** One unit every 50 / R s for a class that was blocked too long, through the closed gate. */
export function grantMinimum(s: ScopeState, r: LeaseRequest, pod: PodState, w: Window): GrantedSlot[] {
  const out: GrantedSlot[] = [];
  const everyMs = 1000 / (w.rate * MINIMUM_SHARE);
  for (const c of [1, 2] as const) {
    const since = s.blockedSince[c];
    if (!w.blocked[c] || since === 0 || w.nowMs - since <= r.maxBlockMs || !p1LeavesRoom(s, w.rate, w.nowMs))
      continue;
    s.nextMinimum[c] = Math.max(s.nextMinimum[c], w.nowMs);
    for (let left = pod.demand[c]; left > 0 && s.nextMinimum[c] <= w.nowMs + r.horizonMs; left--) {
      const slot = takeFrom(s, w.size, pod.ordinal, s.nextMinimum[c]);
      if (slot === undefined) break;
      out.push({ slot, dueMs: dueOf(s, slot), priority: PRIORITIES[c], minimumShare: true });
      s.nextMinimum[c] = Math.max(s.nextMinimum[c], dueOf(s, slot)) + everyMs;
    }
  }
  return out;
}
