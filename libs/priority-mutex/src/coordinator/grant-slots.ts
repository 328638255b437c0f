import { apportion, fairPart } from './apportion.js';
import type { GrantedSlot, LeaseRequest } from './coordinator.js';
import { heardFraction, heardPods, versionsOf } from './heard.js';
import { WHOLE, triple, type PodState, type ScopeState, type Triple } from './scope-state.js';
import { dueOf, takeSpread } from './slot-grid.js';

/** Slots due within this part of the horizon go to whoever asks: the others had a tick to take theirs. */
const LAST_CALL = 1 / 2;

/** What one pod may hold of the window, and what all of them may, by class. */
interface Parts {
  readonly own: Triple;
  readonly all: Triple;
}

/** Divides `capacity` slots among classes by their shares, and each class's among the pods that are heard. */
function partsOf(
  capacity: number,
  s: ScopeState,
  pods: readonly PodState[],
  pod: PodState,
  blocked: readonly boolean[],
): Parts {
  const wish = (p: PodState, c: 0 | 1 | 2): number => (blocked[c] ? 0 : p.demand[c]);
  const sum = (c: 0 | 1 | 2): number => pods.reduce((total, p) => total + wish(p, c), 0);
  const all = apportion(capacity, [sum(0), sum(1), sum(2)], s.shares);
  const own = ([0, 1, 2] as const).map((c) =>
    fairPart(
      all[c],
      pods.map((p) => wish(p, c)),
      wish(pod, c),
    ),
  ) as Triple;
  return { own, all };
}

const total = (t: Triple): number => t[0] + t[1] + t[2];

/** Names the class of each slot: the earliest ones are P1's. */
function classed(s: ScopeState, slots: readonly number[], own: Triple): GrantedSlot[] {
  const bound = (units: number): number => Math.ceil((slots.length * units) / total(own) - 1e-9);
  const [p1, p2] = [bound(own[0]), bound(own[0] + own[1])];
  return slots.map((slot, i) => {
    const priority = i < p1 ? 'P1' : i < p2 ? 'P2' : 'P3';
    return { slot, dueMs: dueOf(s, slot), priority, minimumShare: false };
  });
}

/** Slots for one pod: P1's first and as early as they come, the rest interleaved with the other pods. */
export function grantSlots(
  s: ScopeState,
  r: LeaseRequest,
  pod: PodState,
  size: number,
  blocked: readonly boolean[],
  nowMs: number,
): GrantedSlot[] {
  const pods = heardPods(s, nowMs);
  const fraction = heardFraction(s, pods, nowMs);
  // Taken over from the newest catalogue, and only while nobody spends by the shares before on its own.
  if (fraction >= WHOLE && r.catalogueVersion >= versionsOf(s).newest) s.shares = triple(r.shares);
  if (!pods.includes(pod)) return [];
  const { own, all } = partsOf(size * fraction, s, pods, pod, blocked);
  const held = s.owners.slice(0, size).filter((o) => o === pod.ordinal).length;
  // Rounding up leaves no slot over between pods; with a part of R withheld it would spend what is withheld.
  const wanted = (fraction < 1 ? Math.floor(total(own) + 1e-9) : Math.ceil(total(own) - 1e-9)) - held;
  if (wanted <= 0) return [];
  const urgent = Math.min(wanted, Math.max(0, Math.ceil(own[0] - 1e-9) - held));
  const lastCallMs = nowMs + r.horizonMs * LAST_CALL;
  const spread = (count: number, weight: number): number[] =>
    count > 0 ? takeSpread(s, size, pod.ordinal, count, weight, lastCallMs, fraction) : [];
  const slots = spread(urgent, (own[0] / all[0]) * fraction);
  slots.push(...spread(wanted - slots.length, (total(own) / total(all)) * fraction));
  slots.sort((a, b) => a - b);
  return classed(s, slots, own);
}
