import type { LeaseAnswer, LeaseRequest } from './coordinator.js';
import {
  PRESENCE_MS,
  WHOLE,
  WHOLE_MEMORY_MS,
  classIndex,
  triple,
  type PodState,
  type ScopeState,
} from './scope-state.js';

/** Takes over what a pod says of itself with its lease, and forgets the pods that are dead. */
export function notePod(s: ScopeState, r: LeaseRequest, nowMs: number): PodState {
  for (const [name, p] of s.pods) if (p.seenAt < nowMs - PRESENCE_MS) s.pods.delete(name);
  const known = s.pods.get(r.pod);
  const pod: PodState = known ?? {
    ordinal: ++s.ordinals,
    seenAt: 0,
    heardUntil: 0,
    rate: 0,
    version: 0,
    demand: [0, 0, 0],
    ownership: [0, 0, 0],
    press: [0, 0, 0],
    wantsStock: false,
    stockAllowed: 0,
    issued: 0,
  };
  s.pods.set(r.pod, pod);
  Object.assign(pod, { seenAt: nowMs, rate: r.ratePerSecond, version: r.catalogueVersion });
  // A pod that does not get its answers is alone or soon will be: it is heard no longer than it knows of.
  if (r.seenSequence >= pod.issued) pod.heardUntil = nowMs + r.nextCallWithinMs;
  Object.assign(pod, { demand: triple(r.demand), ownership: triple(r.ownership), wantsStock: r.wantsStock });
  for (const p of r.pressing) {
    const c = classIndex(p);
    pod.press[c] = Math.max(pod.press[c], nowMs + r.pressForMs);
  }
  return pod;
}

/** The pods whose demand counts now. */
export const heardPods = (s: ScopeState, nowMs: number): PodState[] =>
  [...s.pods.values()].filter((p) => p.heardUntil > nowMs);

/**
 * The part of R that belongs to the pods heard now; keeps which classes are heard whole. A class of whose partitions only a
 * part is heard of has its other part at pods that Redis does not hear, and those spend it on their own; one that was heard
 * whole and is not heard at all spends all of it.
 */
export function heardFraction(s: ScopeState, pods: readonly PodState[], nowMs: number): number {
  let fraction = 0;
  for (const c of [0, 1, 2] as const) {
    const heard = pods.reduce((sum, p) => sum + p.ownership[c], 0);
    if (heard >= WHOLE) s.wholeUntil[c] = nowMs + WHOLE_MEMORY_MS;
    const split = heard > 0 || s.wholeUntil[c] > nowMs;
    fraction += s.shares[c] * (split && heard < WHOLE ? heard : 1);
  }
  return fraction;
}

/** Oldest and newest catalogue version of the live pods. */
export function versionsOf(s: ScopeState): LeaseAnswer['versions'] {
  const versions = [...s.pods.values()].map((p) => p.version);
  return { oldest: Math.min(...versions), newest: Math.max(...versions) };
}
