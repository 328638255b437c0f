import type { Priority } from '@commservice/contracts';
import type { Coordinator, LeaseAnswer, LeaseRequest, LeaseResult } from '../../coordinator/coordinator.js';
import type { CoordinatorLink } from '../../coordinator/link.js';
import { HoldView } from '../../gate/hold-view.js';
import type { ScopeGate } from '../../gate/scope-gate.js';
import type { ScopeMutex } from '../../scope-mutex.js';
import type { ScopeParts } from '../../scope-parts.js';

/**
 * Pods with one wrong decision each: test doubles, by which the checks are known to be able to fail. Each changes one part
 * of a mutex that has just been made.
 */
interface Opened {
  readonly parts: ScopeParts;
  readonly loop: { readonly link: CoordinatorLink };
}
export const opened = (mutex: ScopeMutex): Opened => mutex as unknown as Opened;

interface Entry {
  readonly priority: Priority;
  readonly pod: string;
  untilMs: number;
}

/** A view of holds whose entries a double can reach. */
class OpenHolds extends HoldView {
  protected get all(): Map<string, Entry> {
    return (this as unknown as { entries: Map<string, Entry> }).entries;
  }
}

const withHolds =
  (make: () => HoldView) =>
  (mutex: ScopeMutex): void => {
    (opened(mutex).parts.gate as { holds: HoldView }).holds = make();
  };

class NextClassOnly extends OpenHolds {
  override blockedUntil(priority: Priority, nowMs: number): number {
    if (priority === 'P3') for (const [key, e] of this.all) if (e.priority === 'P1') this.all.delete(key);
    return super.blockedUntil(priority, nowMs);
  }
}
/** P3 asks whether P2 holds it back, and forgets P1. */
export const p3LooksAtP2Only = withHolds(() => new NextClassOnly());

class FirstHolder extends OpenHolds {
  override extend(priority: Priority, pod: string, untilMs: number): void {
    const other = [...this.all.values()].some((e) => e.priority === priority && e.pod !== pod);
    if (!other) super.extend(priority, pod, untilMs);
  }
}
/** While one pod holds a class, a second holder of it is not counted. */
export const secondHolderUncounted = withHolds(() => new FirstHolder());

class TimedHolds extends OpenHolds {
  private readonly endsAt = new Map<string, number>();

  override extend(priority: Priority, pod: string, untilMs: number): void {
    const key = `${priority}:${pod}`;
    if (!this.endsAt.has(key)) this.endsAt.set(key, untilMs);
    super.extend(priority, pod, untilMs);
  }

  override blockedUntil(priority: Priority, nowMs: number): number {
    for (const [key, atMs] of this.endsAt)
      if (atMs <= nowMs) {
        this.all.delete(key);
        this.endsAt.delete(key);
      }
    // the timer wakes the lanes as well
    return Math.min(super.blockedUntil(priority, nowMs), ...this.endsAt.values());
  }
}
/** Each hold starts a timer that ends it, and a press in the meantime does not stop the timer. */
export const oldTimerEndsNewHold = withHolds(() => new TimedHolds());

class MomentaryHolds extends OpenHolds {
  override extend(priority: Priority, pod: string): void {
    // over before anything else looks
    super.extend(priority, pod, -Infinity);
  }
}
/** A hold is over within the microseconds in which it began: it means nothing to another pod, nor to this one. */
export const microsecondHold = withHolds(() => new MomentaryHolds());

/** The gate is asked once for a slice of 1000, not before each item. */
export function sliceRunsOn(mutex: ScopeMutex): void {
  const { gate } = opened(mutex).parts;
  const check = gate.check.bind(gate);
  const started = gate.started.bind(gate);
  let left = 0;
  Object.assign(gate, {
    check: (priority: Priority, nowMs: number) => {
      const answer = left > 0 && priority === 'P3' ? ({ kind: 'open' } as const) : check(priority, nowMs);
      if (answer.kind === 'open' && priority === 'P3' && left === 0) left = 1000;
      return answer;
    },
    started: (priority: Priority, nowMs: number) => {
      if (priority === 'P3') left--;
      started(priority, nowMs);
    },
  } satisfies Pick<ScopeGate, 'check' | 'started'>);
}

/** The timer for the end of a hold is never set: only what happens by chance wakes the lanes. */
export function wakeUpLost(mutex: ScopeMutex): void {
  const { parts } = opened(mutex);
  const { timers, gate, clock } = parts;
  const after = timers.after.bind(timers);
  const lossy: ScopeParts['timers'] = {
    after: (delayMs, run) => {
      const now = clock.monotonic();
      const ends = gate.holds.blockedUntil('P3', now) - now;
      return Math.abs(ends - delayMs) < 1e-6 ? () => undefined : after(delayMs, run);
    },
  };
  Object.assign(parts, { timers: lossy });
}

/** Departures that nobody used in time are kept and go all at once. */
export function lateDeparturesBunch(mutex: ScopeMutex): void {
  Object.assign(opened(mutex).parts.departures, { lapseMs: Infinity });
}

/** Every answer fills the standing stock. */
export function stockFilledByAnswers(mutex: ScopeMutex): void {
  const { standing } = opened(mutex).parts.departures;
  const allow = standing.allow.bind(standing);
  Object.assign(standing, {
    allow: (units: number) => {
      allow(units);
      Object.assign(standing, { held: units });
    },
  });
}

/** Silence is read as an answer that grants nothing (T9). */
class SilenceGrantsNothing implements Coordinator {
  private last: LeaseAnswer | undefined;

  constructor(private readonly inner: Coordinator) {}

  async lease(request: LeaseRequest, deadlineMs: number): Promise<LeaseResult> {
    const result = await this.inner.lease(request, deadlineMs);
    if (result.kind === 'answer') this.last = result.answer;
    if (result.kind === 'answer' || !this.last) return result;
    return { kind: 'answer', answer: { ...this.last, slots: [] } };
  }

  leave(scope: string, pod: string, deadlineMs: number): Promise<void> {
    return this.inner.leave(scope, pod, deadlineMs);
  }

  onEdge(...args: Parameters<Coordinator['onEdge']>): () => void {
    return this.inner.onEdge(...args);
  }
}
/** Silence is read as an answer that grants nothing (T9): the pod never turns alone. */
export function noAnswerIsNoQuota(mutex: ScopeMutex): void {
  const { link } = opened(mutex).loop;
  const { o } = link as unknown as { o: { coordinator: Coordinator } };
  o.coordinator = new SilenceGrantsNothing(o.coordinator);
}

/** A pod that is alone spends twice its part of R. */
export function spendsTwiceWhenAlone(mutex: ScopeMutex): void {
  const { loop } = opened(mutex);
  const { fallback } = (loop.link as unknown as { o: { fallback: Coordinator } }).o;
  const lease = fallback.lease.bind(fallback);
  fallback.lease = (r, deadlineMs) => lease({ ...r, ratePerSecond: 2 * r.ratePerSecond }, deadlineMs);
}

/** A token that goes back is worth two. */
export function givesBackTwice(mutex: ScopeMutex): void {
  const { departures } = opened(mutex).parts;
  const putBack = departures.putBack.bind(departures);
  departures.putBack = (units, nowMs) => {
    putBack(units, nowMs);
    putBack(units, nowMs);
  };
}
