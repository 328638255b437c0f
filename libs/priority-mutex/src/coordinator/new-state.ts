import type { LeaseRequest } from './coordinator.js';
import {
  CLOCK_SLACK_MS,
  NEW_LIFE_AHEAD,
  WHOLE_MEMORY_MS,
  triple,
  type ScopeState,
  type Triple,
} from './scope-state.js';

/**
 * A scope nobody remembers, or whose clock went back: it starts empty, after everything an earlier life may have granted.
 * @param lost what cannot be believed any more
 */
export function newState(
  r: LeaseRequest,
  nowMs: number,
  graceMs: number,
  lost: ScopeState | undefined,
): ScopeState {
  return {
    run: String(Math.floor(nowMs * 1000)),
    atMs: nowMs,
    sequence: Math.max(r.seenSequence, lost?.sequence ?? 0) + NEW_LIFE_AHEAD,
    ordinals: 0,
    grid: Math.max(Math.floor(nowMs), (lost?.grid ?? 0) + 1),
    originMs: nowMs + graceMs,
    stepMs: 0,
    base: 0,
    owners: [],
    pods: new Map(),
    shares: triple(r.shares),
    blockedSince: [0, 0, 0],
    nextMinimum: [0, 0, 0],
    wholeUntil: ([0, 1, 2] as const).map((c) =>
      lost && lost.wholeUntil[c] > lost.atMs ? nowMs + WHOLE_MEMORY_MS : 0,
    ) as Triple,
    p1Started: [],
  };
}

/** Whether what is remembered is no older than what the pod has seen, and no later than now. */
export const believable = (s: ScopeState, r: LeaseRequest, nowMs: number): boolean =>
  s.sequence >= r.seenSequence && nowMs >= s.atMs - CLOCK_SLACK_MS;
