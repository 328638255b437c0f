import { PRIORITIES } from '@commservice/contracts';
import { apportion, fairPart } from './apportion.js';
import type { GrantedSlot, Hold, LeaseAnswer, LeaseRequest } from './coordinator.js';
import { blockedClasses, noteBlocked, noteP1, grantMinimum } from './minimum-share.js';
import {
  CLOCK_SLACK_MS,
  PRESENCE_MS,
  STOCK_SHARE,
  WHOLE,
  WHOLE_MEMORY_MS,
  classIndex,
  triple,
  type PodState,
  type ScopeState,
  type Triple,
} from './scope-state.js';
import { dueOf, followRate, moveWindow, release, takeSpread } from './slot-grid.js';

/** Slots due within this part of the horizon go to whoever asks: the others had a tick to take theirs. */
const LAST_CALL = 1 / 2;

/** What a lease changed besides the state: what other pods must hear. */
export interface LeaseDecision {
  readonly state: ScopeState;
  readonly answer: LeaseAnswer;
  readonly pressed: readonly Hold[];
  readonly freed: boolean;
}

/**
 * A scope nobody remembers, or whose clock went back: it starts empty, after everything an earlier life may have granted.
 * @param lost what cannot be believed any more
 */
function newState(r: LeaseRequest, nowMs: number, graceMs: number, lost: ScopeState | undefined): ScopeState {
  return {
    run: String(Math.floor(nowMs * 1000)),
    atMs: nowMs,
    sequence: Math.max(r.seenSequence, lost?.sequence ?? 0),
    ordinals: 0,
    grid: Math.max(Math.floor(nowMs), (lost?.grid ?? 0) + 1),
    originMs: nowMs + graceMs,
    stepMs: 0,
    base: 0,
    owners: [],
    pods: new Map(),
    blockedSince: [0, 0, 0],
    nextMinimum: [0, 0, 0],
    wholeUntil: ([0, 1, 2] as const).map((c) =>
      lost && lost.wholeUntil[c] > lost.atMs ? nowMs + WHOLE_MEMORY_MS : 0,
    ) as Triple,
    p1Started: [],
  };
}

const believable = (s: ScopeState, r: LeaseRequest, nowMs: number): boolean =>
  s.sequence >= r.seenSequence && nowMs >= s.atMs - CLOCK_SLACK_MS;

function notePod(s: ScopeState, r: LeaseRequest, nowMs: number): PodState {
  for (const [name, p] of s.pods) if (p.seenAt < nowMs - PRESENCE_MS) s.pods.delete(name);
  const known = s.pods.get(r.pod);
  const pod: PodState = known ?? {
    ordinal: ++s.ordinals,
    seenAt: 0,
    heardUntil: 0,
    rate: 0,
    demand: [0, 0, 0],
    ownership: [0, 0, 0],
    press: [0, 0, 0],
    wantsStock: false,
    stockAllowed: 0,
    issued: 0,
  };
  s.pods.set(r.pod, pod);
  Object.assign(pod, { seenAt: nowMs, rate: r.ratePerSecond });
  // A pod that does not get its answers is alone or soon will be: it is heard no longer than it knows of.
  if (r.seenSequence >= pod.issued) pod.heardUntil = nowMs + r.nextCallWithinMs;
  Object.assign(pod, { demand: triple(r.demand), ownership: triple(r.ownership), wantsStock: r.wantsStock });
  for (const p of r.pressing) {
    const c = classIndex(p);
    pod.press[c] = Math.max(pod.press[c], nowMs + r.pressForMs);
  }
  return pod;
}

const heardPods = (s: ScopeState, nowMs: number): PodState[] =>
  [...s.pods.values()].filter((p) => p.heardUntil > nowMs);

/**
 * The part of R that belongs to the pods heard now; keeps which classes are heard whole. A class of whose partitions only a part is heard of has its other
 * part at pods that Redis does not hear, and those spend it on their own; one that was heard whole and is not heard at all
 * spends all of it.
 */
function heardFraction(s: ScopeState, pods: readonly PodState[], shares: Triple, nowMs: number): number {
  let fraction = 0;
  for (const c of [0, 1, 2] as const) {
    const heard = pods.reduce((sum, p) => sum + p.ownership[c], 0);
    if (heard >= WHOLE) s.wholeUntil[c] = nowMs + WHOLE_MEMORY_MS;
    const split = heard > 0 || s.wholeUntil[c] > nowMs;
    fraction += shares[c] * (split && heard < WHOLE ? heard : 1);
  }
  return fraction;
}

/** Slots for one pod: P1's first and as early as they come, the rest interleaved with the other pods. */
function grantSlots(
  s: ScopeState,
  r: LeaseRequest,
  pod: PodState,
  size: number,
  blocked: readonly boolean[],
  nowMs: number,
) {
  const shares = triple(r.shares);
  const pods = heardPods(s, nowMs);
  const fraction = heardFraction(s, pods, shares, nowMs);
  if (!pods.includes(pod)) return [];
  const wish = (p: PodState, c: 0 | 1 | 2): number => (blocked[c] ? 0 : p.demand[c]);
  const sum = (c: 0 | 1 | 2): number => pods.reduce((total, p) => total + wish(p, c), 0);
  const totals = apportion(size * fraction, [sum(0), sum(1), sum(2)], shares);
  const part = ([0, 1, 2] as const).map((c) =>
    fairPart(
      totals[c],
      pods.map((p) => wish(p, c)),
      wish(pod, c),
    ),
  ) as Triple;
  const own = part[0] + part[1] + part[2];
  const all = totals[0] + totals[1] + totals[2];
  const held = s.owners.slice(0, size).filter((o) => o === pod.ordinal).length;
  // Rounding up leaves no slot over between pods; with a part of R withheld it would spend what is withheld.
  const wanted = (fraction < 1 ? Math.floor(own + 1e-9) : Math.ceil(own - 1e-9)) - held;
  if (wanted <= 0) return [];
  const urgent = Math.min(wanted, Math.max(0, Math.ceil(part[0] - 1e-9) - held));
  // With a part of R withheld the slots left over are what is withheld.
  const lastCallMs = fraction < 1 ? nowMs : nowMs + r.horizonMs * LAST_CALL;
  const spread = (count: number, weight: number): number[] =>
    count > 0 ? takeSpread(s, size, pod.ordinal, count, weight, lastCallMs) : [];
  const slots = spread(urgent, (part[0] / totals[0]) * fraction);
  slots.push(...spread(wanted - slots.length, (own / all) * fraction));
  slots.sort((a, b) => a - b);
  const bounds = [
    Math.ceil((slots.length * part[0]) / own - 1e-9),
    Math.ceil((slots.length * (part[0] + part[1])) / own - 1e-9),
  ];
  return slots.map((slot, i): GrantedSlot => {
    const priority = i < (bounds[0] as number) ? 'P1' : i < (bounds[1] as number) ? 'P2' : 'P3';
    return { slot, dueMs: dueOf(s, slot), priority, minimumShare: false };
  });
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
