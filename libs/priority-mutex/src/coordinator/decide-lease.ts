import { PRIORITIES } from '@commservice/contracts';
import type { Hold, LeaseAnswer, LeaseRequest } from './coordinator.js';
import { grantSlots } from './grant-slots.js';
import { notePod, versionsOf } from './heard.js';
import { blockedClasses, noteBlocked, noteP1, grantMinimum } from './minimum-share.js';
import { believable, newState } from './new-state.js';
import { STOCK_SHARE, WHOLE, byClass, type PodState, type ScopeState } from './scope-state.js';
import { followRate, moveWindow, release } from './slot-grid.js';

/** What a lease changed besides the state: what other pods must hear. */
export interface LeaseDecision {
  readonly state: ScopeState;
  readonly answer: LeaseAnswer;
  readonly pressed: readonly Hold[];
  readonly freed: boolean;
}

/** A pod's part of the standing stock; never more than the others leave of it. */
function allowStock(s: ScopeState, pod: PodState, ratePerSecond: number): number {
  if (!pod.wantsStock) return 0;
  const stock = Math.floor(ratePerSecond * STOCK_SHARE + 1e-9);
  const holders = [...s.pods.values()].filter((p) => p.wantsStock).sort((a, b) => a.ordinal - b.ordinal);
  const rank = holders.indexOf(pod);
  const target = Math.floor(stock / holders.length) + (rank < stock % holders.length ? 1 : 0);
  const others = [...s.pods.values()].reduce((sum, p) => sum + (p === pod ? 0 : p.stockAllowed), 0);
  return Math.max(0, Math.min(target, stock - others));
}

/** Holds of all pods that still count. */
export function holdsOf(s: ScopeState, nowMs: number): Hold[] {
  return [...s.pods].flatMap(([pod, p]) =>
    PRIORITIES.flatMap((priority, c) => {
      const untilMs = p.press[c] ?? 0;
      return untilMs > nowMs ? [{ priority, pod, untilMs }] : [];
    }),
  );
}

/**
 * One lease: the whole decision over tokens and gate of a scope, the same in memory and in `lua/lease-2.lua`.
 * Changes `known` in place and returns it.
 * @param known what was remembered; undefined after a restart
 * @param graceMs how long a scope that starts empty grants nothing; default: the horizon, for what others were granted
 */
export function decideLease(
  known: ScopeState | undefined,
  r: LeaseRequest,
  nowMs: number,
  graceMs: number = r.horizonMs,
): LeaseDecision {
  const s = known && believable(known, r, nowMs) ? known : newState(r, nowMs, graceMs, known);
  s.atMs = nowMs;
  const pod = notePod(s, r, nowMs);
  const rate = Math.min(...[...s.pods.values()].map((p) => p.rate));
  followRate(s, rate, nowMs);
  const freed = r.grid === s.grid ? release(s, pod.ordinal, r.released) : 0;
  const size = moveWindow(s, nowMs, r.horizonMs);
  noteP1(s, r.p1Started, nowMs);
  const blocked = blockedClasses(s, r.mode, nowMs);
  const heard = pod.heardUntil > nowMs;
  const minimum = heard ? grantMinimum(s, r, pod, { size, blocked, rate, nowMs }) : [];
  const slots = [...minimum, ...grantSlots(s, r, pod, size, blocked, nowMs)];
  noteBlocked(s, r, blocked, nowMs);
  pod.stockAllowed = allowStock(s, pod, rate);
  pod.issued = ++s.sequence;
  const pressed = holdsOf(s, nowMs).filter((h) => h.pod === r.pod && r.pressing.includes(h.priority));
  const answer: LeaseAnswer = {
    nowMs,
    run: s.run,
    sequence: s.sequence,
    grid: s.grid,
    slots,
    holds: holdsOf(s, nowMs),
    blockedSinceMs: { P1: s.blockedSince[0], P2: s.blockedSince[1], P3: s.blockedSince[2] },
    pods: s.pods.size,
    versions: versionsOf(s),
    shares: byClass(s.shares),
    ratePerSecond: rate,
    stepMs: s.stepMs,
    stockAllowed: pod.stockAllowed,
  };
  return { state: s, answer, pressed, freed: freed > 0 };
}

/**
 * The pod is gone: its slots, holds and stock are free at once, and a class that it ran alone. Returns whether slots came
 * free.
 */
export function decideLeave(s: ScopeState, name: string): boolean {
  const pod = s.pods.get(name);
  if (!pod) return false;
  s.pods.delete(name);
  const left = [...s.pods.values()];
  for (const c of [0, 1, 2] as const)
    if (pod.ownership[c] >= WHOLE && left.every((p) => p.ownership[c] === 0)) s.wholeUntil[c] = 0;
  const held = s.owners.flatMap((o, i) => (o === pod.ordinal ? [s.base + i] : []));
  s.sequence++;
  return release(s, pod.ordinal, held) > 0;
}
