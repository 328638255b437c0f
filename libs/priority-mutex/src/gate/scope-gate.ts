import { PRIORITIES, type MutexMode, type Priority } from '@commservice/contracts';
import type { Hold } from '../coordinator/coordinator.js';
import type { WaitCause } from '../seat.js';
import type { SeatTable } from '../seat-table.js';
import type { MutexTiming } from '../timing.js';
import type { Departures } from '../tokens/departures.js';
import { HoldView } from './hold-view.js';
import { presses } from './press.js';

/** What the gate needs to know of the scope. */
export interface GateFacts {
  readonly mode: MutexMode;
  readonly pods: number;
  readonly ratePerSecond: number;
  /** Until when the last answer granted departures, monotonic ms. */
  readonly grantedUntilMs: number;
  /** When the last call that was answered was made: demand older than that is known to the coordinator. */
  readonly answeredAtMs: number;
}

export type GateAnswer =
  | { readonly kind: 'open' }
  | { readonly kind: 'blocked'; readonly cause: WaitCause; readonly untilMs: number };

/** Added to another pod's hold, so that a lease asked for at its end finds it over at the coordinator too. */
const CLOCK_SLACK_MS = 0.5;

const OPEN: GateAnswer = { kind: 'open' };

/**
 * The gate of one scope in one pod: may this class start a send now? A class is blocked while any class above it, in any
 * pod, presses or pressed less than a hold ago. This pod's own presses count at once, other pods' from their edge or the
 * next lease. Asked before every item; never waits. Caller: ScopeMutex.
 */
export class ScopeGate {
  readonly holds = new HoldView();
  private readonly accountUntil: Record<Priority, number> = { P1: -Infinity, P2: -Infinity, P3: -Infinity };
  private readonly lastStart: Record<Priority, number> = { P1: -Infinity, P2: -Infinity, P3: -Infinity };

  constructor(
    private readonly pod: string,
    private readonly timing: MutexTiming,
    private readonly seats: SeatTable,
    private readonly departures: Departures,
    private readonly facts: Readonly<GateFacts>,
  ) {}

  get holdMs(): number {
    return this.facts.mode === 'strict' ? this.timing.strictHoldMs : this.timing.holdMs;
  }

  /** Classes of this pod that press now; their hold over the lower ones of this pod begins or goes on. */
  evaluate(nowMs: number): Priority[] {
    if (this.facts.mode === 'noop') return [];
    const pressing = PRIORITIES.filter((p) => p !== 'P3' && this.pressesNow(p, nowMs));
    for (const p of pressing) this.holds.extend(p, this.pod, nowMs + this.holdMs);
    return pressing;
  }

  check(priority: Priority, nowMs: number): GateAnswer {
    if (priority === 'P1' || this.facts.mode === 'noop') return OPEN;
    this.evaluate(nowMs);
    const untilMs = this.holds.blockedUntil(priority, nowMs);
    if (untilMs <= nowMs) return OPEN;
    // An own press puts the end a whole hold ahead, a lease of another pod at least as far: less is the tail of a hold.
    return { kind: 'blocked', cause: untilMs - nowMs >= this.holdMs ? 'gate' : 'hold', untilMs };
  }

  /**
   * Takes over what the coordinator or an edge says; `toLocal` turns its time into ours. No hold lasts longer than one press
   * and a hold from now: a clock that was set cannot close the gate.
   */
  note(holds: readonly Hold[], toLocal: (ms: number) => number, nowMs: number): void {
    const { holdMs, strictHoldMs, pressRefreshMs } = this.timing;
    const latestMs = nowMs + Math.max(holdMs, strictHoldMs) + pressRefreshMs;
    for (const h of holds) {
      if (h.pod === this.pod) continue;
      this.holds.extend(h.priority, h.pod, Math.min(toLocal(h.untilMs) + CLOCK_SLACK_MS, latestMs));
    }
  }

  pressAccount(priority: Priority, untilMs: number): void {
    this.accountUntil[priority] = Math.max(this.accountUntil[priority], untilMs);
  }

  started(priority: Priority, nowMs: number): void {
    this.lastStart[priority] = nowMs;
    if (this.facts.mode === 'strict' && priority !== 'P3')
      this.holds.extend(priority, this.pod, nowMs + this.holdMs);
  }

  private pressesNow(priority: Priority, nowMs: number): boolean {
    const facts = this.facts;
    const waiting = this.seats.waiting(priority);
    const known = waiting.some((w) => w.oldestSince !== undefined && w.oldestSince <= facts.answeredAtMs);
    return presses(
      {
        mode: facts.mode,
        priority,
        nowMs,
        waiting,
        expectedUnits: known ? this.expected(priority, nowMs, facts.grantedUntilMs) : undefined,
        pods: facts.pods,
        ratePerSecond: facts.ratePerSecond,
        accountUntilMs: this.accountUntil[priority],
        lastStartMs: this.lastStart[priority],
      },
      this.timing,
    );
  }

  /** What falls due in the look-ahead; beyond what is granted yet, at the pace of what is. */
  private expected(priority: Priority, nowMs: number, grantedUntilMs: number): number {
    const ahead = this.timing.pressLookAheadMs;
    const known = grantedUntilMs - nowMs;
    const due = this.departures.dueBefore(nowMs + ahead);
    const paced = known > 0 && known < ahead ? (due * ahead) / known : due;
    return (
      this.departures.readyUnits +
      Math.floor(paced) +
      (priority === 'P1' ? this.departures.standing.usable(nowMs) : 0)
    );
  }
}
