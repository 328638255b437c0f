import { PRIORITIES, classesAbove, type Priority } from '@commservice/contracts';
import { classIndex } from './coordinator/scope-state.js';
import type { ScopeGate } from './gate/scope-gate.js';
import type { MutexMetrics } from './ports.js';
import type { ScopeFacts } from './scope-facts.js';
import type { SeatTable } from './seat-table.js';
import type { TakeResult, Token } from './seat.js';
import type { Departures, Unit } from './tokens/departures.js';

/** A token with the units it is made of, so that they can go back. */
export class GrantedToken implements Token {
  private parts: readonly Unit[] | undefined;
  readonly units: number;
  readonly borrowed: boolean;

  constructor(
    readonly priority: Priority,
    readonly takenAtMs: number,
    parts: readonly Unit[],
  ) {
    this.parts = parts;
    this.units = parts.length;
    this.borrowed = parts.some((u) => u.priority !== priority);
  }

  /** When each unit was granted for: its departure, or the moment a standing one was taken; monotonic ms. */
  departuresMs(): number[] {
    return (this.parts ?? []).map((u) => (u.kind === 'stock' ? this.takenAtMs : u.dueMs));
  }

  /** The units, once. */
  surrender(): readonly Unit[] {
    const parts = this.parts ?? [];
    this.parts = undefined;
    return parts;
  }
}

export interface TokenTotals {
  granted: number;
  borrowed: number;
}

/**
 * Gives tokens to the seats of one scope, most urgent first.
 * Invariants: P1 may use any ready departure and the standing stock; in all modes but `noop` a lower class takes nothing
 * that a higher one of this pod waits for; a blocked class takes only what was granted through the closed gate.
 * Callers: ScopeSeat (take, giveBack), LeaseLoop (advance, wake).
 */
export class ScopeTokens {
  readonly totals: Record<Priority, TokenTotals> = {
    P1: { granted: 0, borrowed: 0 },
    P2: { granted: 0, borrowed: 0 },
    P3: { granted: 0, borrowed: 0 },
  };
  private waking = false;

  constructor(
    private readonly scope: string,
    private readonly seats: SeatTable,
    private readonly departures: Departures,
    private readonly gate: ScopeGate,
    private readonly facts: ScopeFacts,
    private readonly metrics: MutexMetrics,
    /** When the next lease may bring more, monotonic ms. */
    private readonly nextLeaseMs: () => number,
  ) {}

  take(priority: Priority, units: number, nowMs: number): TakeResult {
    this.advance(nowMs);
    const parts = this.partsFor(priority, units, nowMs);
    if (!parts) return this.refuse(priority, units, nowMs);
    const token = new GrantedToken(priority, nowMs, parts);
    this.gate.started(priority, nowMs);
    if (priority === 'P1') this.facts.p1Started += units;
    this.totals[priority].granted += units;
    this.metrics.tokensUsed.add(units, { scope: this.scope, priority });
    const borrowed = parts.filter((u) => u.priority !== priority).length;
    if (borrowed > 0) {
      this.totals[priority].borrowed += borrowed;
      this.metrics.tokensBorrowed.add(borrowed, { scope: this.scope, priority });
    }
    return { kind: 'granted', token };
  }

  giveBack(token: Token, nowMs: number): void {
    if (!(token instanceof GrantedToken)) return;
    const parts = token.surrender();
    if (parts.length === 0) return;
    const before = this.departures.lapsed;
    this.departures.putBack(parts, nowMs);
    this.totals[token.priority].granted -= parts.length;
    if (token.priority === 'P1') this.facts.p1Started = Math.max(0, this.facts.p1Started - parts.length);
    this.metrics.tokensReturned.add(parts.length, { scope: this.scope, priority: token.priority });
    this.countLapsed(this.departures.lapsed - before);
  }

  /** Moves the departures on to `nowMs`. */
  advance(nowMs: number): void {
    let gather = 0;
    const behindGate = [0, 0, 0];
    for (const p of PRIORITIES) {
      const { largest } = this.seats.heads(p);
      if (largest === 0) continue;
      if (this.gate.check(p, nowMs).kind === 'open') gather = Math.max(gather, largest);
      else behindGate[classIndex(p)] = largest;
    }
    this.countLapsed(this.departures.advance(nowMs, this.stockFirst(nowMs), gather, behindGate));
  }

  /** Whether due departures fill the standing stock: after a waiting P1, and in its upper half after a P2 that may start. */
  private stockFirst(nowMs: number): boolean {
    if (this.seats.units('P1') > 0) return false;
    if (this.departures.standing.bridging) return true;
    if (this.departures.standing.size < this.departures.standing.allowed / 2) return true;
    return this.seats.units('P2') === 0 || this.gate.check('P2', nowMs).kind === 'blocked';
  }

  /** Wakes the seats that may start now, P1 first. */
  wake(nowMs: number): void {
    if (this.waking) return;
    this.waking = true;
    try {
      this.advance(nowMs);
      for (const p of PRIORITIES) {
        if (!this.seats.has(p)) continue;
        for (const seat of this.seats.rotated(p)) {
          const { units, nextUnits } = seat.waiting();
          if (units > 0 && this.available(p, nowMs) >= nextUnits) seat.wake();
        }
      }
    } finally {
      this.waking = false;
    }
  }

  /** Units that a class could take at this moment. */
  private available(priority: Priority, nowMs: number): number {
    if (this.gate.check(priority, nowMs).kind === 'blocked')
      return this.departures.minimumUnits(classIndex(priority));
    if (priority === 'P1') return this.departures.readyUnits + this.departures.standing.usable(nowMs);
    if (this.facts.mode === 'noop') return this.departures.readyFor((u) => this.mayBorrow(priority, u));
    return (
      this.departures.readyUnits - classesAbove(priority).reduce((sum, p) => sum + this.seats.units(p), 0)
    );
  }

  private mayBorrow(priority: Priority, unit: Unit): boolean {
    return unit.priority === priority || this.seats.units(unit.priority) === 0;
  }

  private partsFor(priority: Priority, units: number, nowMs: number): Unit[] | undefined {
    if (units < 1 || this.available(priority, nowMs) < units) return undefined;
    if (this.gate.check(priority, nowMs).kind === 'blocked')
      return this.departures.takeMinimum(classIndex(priority), units);
    if (priority === 'P1') return this.departures.takeP1(units, nowMs);
    return this.facts.mode === 'noop'
      ? this.departures.takeReady(units, nowMs, (u) => this.mayBorrow(priority, u))
      : this.departures.takeReady(units, nowMs);
  }

  private refuse(priority: Priority, units: number, nowMs: number): TakeResult {
    const gate = this.gate.check(priority, nowMs);
    if (gate.kind === 'blocked') {
      const minimumMs = this.departures.nextMinimumDue(classIndex(priority)) ?? Infinity;
      return {
        kind: 'no-quota',
        waitMs: Math.max(1, Math.min(gate.untilMs, minimumMs) - nowMs),
        cause: gate.cause,
      };
    }
    const missing = units - Math.max(0, this.available(priority, nowMs));
    const dueMs = this.departures.dueOfNth(Math.max(1, missing));
    if (dueMs === undefined && this.facts.silent)
      return { kind: 'no-answer', waitMs: Math.max(1, this.nextLeaseMs() - nowMs) };
    return { kind: 'no-quota', waitMs: Math.max(1, (dueMs ?? this.nextLeaseMs()) - nowMs), cause: 'token' };
  }

  private countLapsed(units: number): void {
    // Lapses belong to the scope, not to a class: they are counted under the one that would have borrowed them.
    if (units > 0) this.metrics.tokensLapsed.add(units, { scope: this.scope, priority: 'P3' });
  }
}
