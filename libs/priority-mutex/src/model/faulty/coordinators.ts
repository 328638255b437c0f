import type { LeaseAnswer, LeaseRequest, LeaseResult } from '../../coordinator/coordinator.js';
import { decideLease } from '../../coordinator/decide-lease.js';
import { MemoryCoordinator } from '../../coordinator/memory-coordinator.js';
import { classIndex, type ScopeState } from '../../coordinator/scope-state.js';

/** Coordinators with one wrong decision each: test doubles, by which the checks are known to be able to fail. */
class Faulty extends MemoryCoordinator {
  constructor(protected readonly clock: () => number) {
    super(clock);
  }

  protected get kept(): Map<string, ScopeState> {
    return (this as unknown as { states: Map<string, ScopeState> }).states;
  }

  protected state(scope: string): ScopeState | undefined {
    return this.kept.get(scope);
  }
}

const changed = async (
  result: Promise<LeaseResult>,
  change: (a: LeaseAnswer) => Partial<LeaseAnswer>,
): Promise<LeaseResult> => {
  const r = await result;
  return r.kind === 'answer' ? { kind: 'answer', answer: { ...r.answer, ...change(r.answer) } } : r;
};

/** P3 asks whether P2 presses, and forgets P1. */
export class P3LooksAtP2Only extends Faulty {
  override lease(r: LeaseRequest): Promise<LeaseResult> {
    const pods = [...(this.state(r.scope)?.pods.values() ?? [])];
    if (r.demand.P3 === 0 || r.pressing.length > 0) return super.lease(r);
    const hidden = pods.map((p) => p.press[0]);
    for (const p of pods) p.press[0] = 0;
    const result = super.lease(r);
    pods.forEach((p, i) => (p.press[0] = hidden[i] as number));
    return result;
  }
}

/** While one pod holds a class, a second holder of it is not counted: the end of the first ends both. */
export class SecondHolderUncounted extends Faulty {
  override lease(r: LeaseRequest): Promise<LeaseResult> {
    const now = this.clock();
    const others = [...(this.state(r.scope)?.pods ?? [])].filter(([name]) => name !== r.pod);
    const free = r.pressing.filter((p) => others.every(([, o]) => o.press[classIndex(p)] <= now));
    return super.lease({ ...r, pressing: free });
  }
}

/** Each hold starts a timer that ends it, and a press in the meantime does not stop the timer. */
export class OldTimerEndsNewHold extends Faulty {
  private readonly timers = new Map<string, number>();

  override lease(r: LeaseRequest): Promise<LeaseResult> {
    const now = this.clock();
    for (const [key, atMs] of this.timers) {
      const [priority, pod] = key.split(' ') as [LeaseRequest['pressing'][number], string];
      const held = this.state(r.scope)?.pods.get(pod);
      if (atMs > now) continue;
      if (held) held.press[classIndex(priority)] = 0;
      this.timers.delete(key);
    }
    for (const p of r.pressing)
      if (!this.timers.has(`${p} ${r.pod}`)) this.timers.set(`${p} ${r.pod}`, now + r.pressForMs);
    return super.lease(r);
  }
}

/** Milliseconds taken for microseconds: the hold is over before another pod hears of it. */
export class MicrosecondHold extends Faulty {
  override lease(r: LeaseRequest): Promise<LeaseResult> {
    return super.lease({ ...r, pressForMs: r.pressForMs / 1000 });
  }
}

/** A pod that joins departs at once, at times that others have already. */
export class NewcomerStartsAtOnce extends Faulty {
  override lease(r: LeaseRequest): Promise<LeaseResult> {
    const joins = this.state(r.scope)?.pods.has(r.pod) === false;
    return changed(super.lease(r), (a) => {
      const s = this.state(r.scope) as ScopeState;
      const stepMs = s.stepMs;
      const next = Array.from({ length: 20 }, (_, i) => s.base + i).map((slot) => ({
        slot,
        dueMs: s.originMs + slot * stepMs,
        priority: 'P1' as const,
        minimumShare: false,
      }));
      return joins && s.originMs <= a.nowMs ? { slots: next } : {};
    });
  }
}

/** A state that nobody remembers starts with a full bucket. */
export class BucketFullAfterRestart extends Faulty {
  override lease(r: LeaseRequest): Promise<LeaseResult> {
    if (this.state(r.scope)) return super.lease(r);
    const now = this.clock();
    const { state, answer } = decideLease(undefined, r, now, 0);
    this.kept.set(r.scope, state);
    const slots = answer.slots.map((s) => ({ ...s, dueMs: now }));
    return Promise.resolve({ kind: 'answer', answer: { ...answer, slots } });
  }
}

/** `now` comes from the pod that calls. */
export class ClientClock extends Faulty {
  private caller = '';

  constructor(clientMs: (pod: string) => number) {
    super(() => clientMs(this.caller));
  }

  override lease(r: LeaseRequest): Promise<LeaseResult> {
    this.caller = r.pod;
    return super.lease(r);
  }
}

/** Each pod may hold the whole standing stock. */
export class StockForEachPod extends Faulty {
  override lease(r: LeaseRequest): Promise<LeaseResult> {
    return changed(super.lease(r), (a) => ({
      stockAllowed: r.wantsStock ? Math.floor(a.ratePerSecond * 0.02) : 0,
    }));
  }
}

/** Grants all of R to the pods it hears, whatever part is at pods that it does not hear. */
export class WithholdsNothing extends Faulty {
  override lease(r: LeaseRequest): Promise<LeaseResult> {
    return super.lease({ ...r, ownership: { P1: 1, P2: 1, P3: 1 } });
  }
}

/** A class gets its minimum share as soon as it is blocked. */
export class MinimumShareAtOnce extends Faulty {
  override lease(r: LeaseRequest): Promise<LeaseResult> {
    return super.lease({ ...r, maxBlockMs: 0 });
  }
}

/** Slots given up stay with the pod that gave them up. */
export class KeepsReleasedSlots extends Faulty {
  override lease(r: LeaseRequest): Promise<LeaseResult> {
    return super.lease({ ...r, released: [] });
  }
}

/** The R of the pod that calls counts, not the smallest. */
export class CallersRateCounts extends Faulty {
  override lease(r: LeaseRequest): Promise<LeaseResult> {
    for (const p of this.state(r.scope)?.pods.values() ?? []) p.rate = r.ratePerSecond;
    return super.lease(r);
  }
}
