import { PRIORITIES, type Clock, type MutexMode, type Priority } from '@commservice/contracts';
import type { Coordinator, Edge, LeaseAnswer, LeaseRequest } from './coordinator/coordinator.js';
import { classIndex } from './coordinator/scope-state.js';
import { CoordinatorLink } from './coordinator/link.js';
import { MemoryCoordinator } from './coordinator/memory-coordinator.js';
import type { ScopeGate } from './gate/scope-gate.js';
import type { MutexLogger, MutexMetrics, Timers } from './ports.js';
import type { ScopeFacts } from './scope-facts.js';
import type { ScopeTokens } from './scope-tokens.js';
import type { SeatTable } from './seat-table.js';
import { patienceMs } from './gate/press.js';
import type { MutexTiming } from './timing.js';
import { demandOf, usable } from './tokens/demand.js';
import type { Departures } from './tokens/departures.js';

export interface LeaseLoopParts {
  readonly scope: string;
  readonly pod: string;
  readonly ratePerSecond: number;
  readonly shares: Record<Priority, number>;
  readonly mode: MutexMode;
  readonly catalogueVersion: number;
  readonly coordinator: Coordinator;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly timing: MutexTiming;
  readonly logger: MutexLogger;
  readonly metrics: MutexMetrics;
  readonly seats: SeatTable;
  readonly departures: Departures;
  readonly gate: ScopeGate;
  readonly tokens: ScopeTokens;
  readonly facts: ScopeFacts;
}

/** Least time between two calls for an edge, ms: P1's at once, the lower classes' gathered. */
const P1_GAP_MS = 2;
const LOWER_GAP_MS = 25;
/** Departures due sooner than this are not given up: the answer would come too late for anybody. */
const RELEASE_AHEAD_MS = 4;

/**
 * Decides when to call the coordinator and when to look again, with one timer: at the next departure while something
 * waits, when a class's patience ends, when a hold ends, when the next lease is due. Idle it only polls.
 * Caller: ScopeMutex.
 */
export class LeaseLoop {
  readonly link: CoordinatorLink;
  private cancelTimer: (() => void) | undefined;
  private armedForMs = Infinity;
  private unsubscribe: (() => void) | undefined;
  private running = false;
  private lastCallMs = -Infinity;
  private lastPressMs: Record<Priority, number> = { P1: -Infinity, P2: -Infinity, P3: -Infinity };
  leases = 0;
  leasesUnanswered = 0;

  constructor(private readonly p: LeaseLoopParts) {
    const fallback = new MemoryCoordinator(() => p.clock.monotonic());
    this.link = new CoordinatorLink({
      coordinator: p.mode === 'local' ? fallback : p.coordinator,
      fallback,
      clock: p.clock,
      deadlineMs: p.timing.deadlineMs,
      probeMs: p.timing.pollMs,
      aloneAfterMs: () => this.nextCallWithinMs() + p.timing.horizonMs + p.timing.lapseMs,
      request: (alone) => this.request(alone),
      onAnswer: (answer, sentAtMs, toLocal) => this.take(answer, sentAtMs, toLocal),
      onUnanswered: (request, reason) => this.unanswered(request, reason),
      onAuthority: (now, before) => this.authorityChanged(now, before),
      onCall: (answered, ms) => this.countCall(answered, ms),
    });
  }

  start(): void {
    if (this.running) return;
    this.running = true;
    if (this.p.mode !== 'local') this.unsubscribe = this.p.coordinator.onEdge(this.p.scope, (e) => this.edge(e));
    this.callNow();
    this.arm();
  }

  async stop(): Promise<void> {
    if (!this.running) return;
    this.running = false;
    this.cancelTimer?.();
    this.unsubscribe?.();
    this.link.close();
    if (this.p.mode !== 'local') await this.p.coordinator.leave(this.p.scope, this.p.pod, this.p.timing.deadlineMs);
  }

  /** Something changed: start what may start, ask for what is missing, look again when the next thing is due. */
  react(): void {
    if (!this.running) return;
    const now = this.p.clock.monotonic();
    this.voidOldStock(now);
    this.p.tokens.wake(now);
    if (!this.link.busy && this.nextCallMs(now) <= now) this.callNow();
    this.arm();
  }

  /** When the next lease may bring tokens, monotonic ms. */
  nextLeaseMs(): number {
    return Math.max(this.lastCallMs + P1_GAP_MS, this.nextCallMs(this.p.clock.monotonic()));
  }

  private callNow(): void {
    this.lastCallMs = this.p.clock.monotonic();
    this.link.call();
  }

  private voidOldStock(now: number): void {
    if (this.link.authority !== 'alone' && this.link.silenceMs(now) > this.p.timing.viewMaxAgeMs) this.p.departures.voidStock();
  }

  private shortfall(): number {
    const { stock, stockAllowed } = this.p.departures;
    return Math.max(0, stockAllowed - stock);
  }

  private demand(): Record<Priority, number> {
    return demandOf(this.p.seats, this.shortfall(), this.p.facts.ratePerSecond, this.p.timing.horizonMs);
  }

  private blocked(now: number): (p: Priority) => boolean {
    return (p) => this.p.gate.check(p, now).kind === 'blocked';
  }

  private active(): boolean {
    const { seats, departures } = this.p;
    return !seats.nothingWaits() || this.shortfall() > departures.pendingUnits;
  }

  private nextCallWithinMs(): number {
    const { tickMs, pollMs, deadlineMs } = this.p.timing;
    return 2 * (this.active() ? tickMs : pollMs) + deadlineMs;
  }

  /** When the next call is due: at once for an edge, else by the tick, the press refresh or the poll. */
  private nextCallMs(now: number): number {
    const { timing, gate, facts, departures } = this.p;
    const pressing = gate.evaluate(now);
    const demand = this.demand();
    const blocked = this.blocked(now);
    const tick = this.lastCallMs + (this.active() ? timing.tickMs : timing.pollMs);
    if (facts.silent) return tick;
    const held = departures.pendingUnits + departures.readyUnits;
    const missing = usable(demand, blocked) > held;
    const grew = (p: Priority): boolean => missing && !blocked(p) && demand[p] > facts.asked[p];
    if (pressing.some((p) => now - this.lastPressMs[p] >= timing.pressRefreshMs)) return this.lastCallMs + P1_GAP_MS;
    if (grew('P1')) return this.lastCallMs + P1_GAP_MS;
    const refresh = pressing.length > 0 ? this.lastCallMs + timing.pressRefreshMs : Infinity;
    const lower = grew('P2') || grew('P3') ? this.lastCallMs + LOWER_GAP_MS : Infinity;
    return Math.min(tick, refresh, lower);
  }

  private request(alone: boolean): LeaseRequest {
    const { p } = this;
    const now = p.clock.monotonic();
    p.tokens.advance(now);
    const pressing = p.gate.evaluate(now);
    const demand = this.demand();
    const blocked = this.blocked(now);
    const ownership = p.seats.ownership();
    for (const c of pressing) this.lastPressMs[c] = now;
    for (const c of PRIORITIES) p.facts.asked[c] = blocked(c) ? 0 : demand[c];
    const keep = Math.max(0, usable(demand, blocked) - p.departures.readyUnits);
    const p1Started = p.facts.p1Started;
    p.facts.p1Started = 0;
    const part = PRIORITIES.reduce((sum, c) => sum + p.shares[c] * ownership[c], 0);
    return {
      scope: p.scope,
      pod: p.pod,
      catalogueVersion: p.catalogueVersion,
      ratePerSecond: alone ? p.ratePerSecond * part : p.ratePerSecond,
      shares: p.shares,
      mode: p.mode,
      demand,
      pressing,
      pressForMs: p.gate.holdMs + p.timing.pressRefreshMs,
      // Alone, the pod's part is in the rate already.
      ownership: alone ? { P1: 1, P2: 1, P3: 1 } : ownership,
      wantsStock: p.seats.has('P1'),
      p1Started,
      released: p.departures.surplus(keep, p.facts.grid, now + RELEASE_AHEAD_MS),
      grid: p.facts.grid,
      seenSequence: alone ? 0 : p.facts.sequence,
      horizonMs: this.horizonMs(),
      nextCallWithinMs: this.nextCallWithinMs(),
      maxBlockMs: p.timing.maxBlockMs,
    };
  }

  /** At small R the horizon must hold some departures of each pod. */
  private horizonMs(): number {
    const { facts, timing } = this.p;
    return Math.max(timing.horizonMs, ((facts.pods + 1) * 1000) / facts.ratePerSecond);
  }

  private take(answer: LeaseAnswer, sentAtMs: number, toLocal: (ms: number) => number): void {
    const { facts, departures, gate } = this.p;
    if (facts.run !== answer.run) departures.voidStock();
    Object.assign(facts, { run: answer.run, sequence: answer.sequence, grid: answer.grid, pods: answer.pods });
    Object.assign(facts, { ratePerSecond: answer.ratePerSecond, silent: false });
    facts.answeredAtMs = sentAtMs;
    facts.grantedUntilMs = toLocal(answer.nowMs) + this.horizonMs();
    for (const c of PRIORITIES) {
      // Blocked there: the end of the hold is new demand.
      if (answer.holds.some((h) => classIndex(h.priority) < classIndex(c))) facts.asked[c] = 0;
      facts.blockedSince[c] = answer.blockedSinceMs[c] > 0 ? toLocal(answer.blockedSinceMs[c]) : undefined;
    }
    departures.allowStock(answer.stockAllowed);
    departures.add(
      answer.slots.map((s) => ({ ...s, dueMs: toLocal(s.dueMs) })),
      answer.grid,
    );
    gate.note(answer.holds, toLocal);
    for (const s of answer.slots) this.p.metrics.tokensGranted.add(1, { scope: this.p.scope, priority: s.priority });
    this.react();
  }

  private unanswered(request: LeaseRequest, reason: string): void {
    const { facts } = this.p;
    if (!facts.silent) this.p.logger.warn({ scope: this.p.scope, reason }, 'the coordinator does not answer');
    facts.silent = this.link.authority !== 'alone';
    facts.p1Started += request.p1Started;
    this.arm();
  }

  private authorityChanged(now: string, before: string): void {
    const { facts, departures, logger, scope } = this.p;
    // What one authority granted does not count under the other; the coordinator's answer brings new ones.
    if (now === 'alone' || before === 'alone') departures.dropDepartures();
    if (now === 'alone' || before === 'alone') departures.allowStock(0);
    if (before === 'alone') facts.ratePerSecond = this.p.ratePerSecond;
    facts.silent = false;
    for (const c of PRIORITIES) facts.asked[c] = 0;
    logger.info({ scope, authority: now, before }, 'the authority over tokens changed');
  }

  private edge(edge: Edge): void {
    const { gate, facts, departures, clock, pod } = this.p;
    if (!this.running || edge.pod === pod || this.link.authority !== 'coordinated') return;
    if (edge.kind === 'freed') {
      for (const c of PRIORITIES) facts.asked[c] = 0;
    } else {
      gate.note(edge.holds, (ms) => this.link.toLocal(ms));
      const now = clock.monotonic();
      // Departures that the gate makes useless here are what the pressing pod waits for.
      if (departures.pendingUnits > usable(this.demand(), this.blocked(now)) + 1 && !this.link.busy) this.callNow();
    }
    this.react();
  }

  private countCall(answered: boolean, durationMs: number): void {
    const { metrics, scope } = this.p;
    this.leases++;
    if (!answered) this.leasesUnanswered++;
    metrics.leaseCalls.add(1, { scope, result: answered ? 'granted' : 'no-answer' });
    metrics.leaseDuration.record(durationMs / 1000, { scope });
  }

  /** The one timer: when something can happen next. */
  private arm(): void {
    if (!this.running) return;
    const now = this.p.clock.monotonic();
    const at = Math.min(this.nextStartMs(now), this.link.busy ? Infinity : this.nextCallMs(now));
    if (at === Infinity || (this.cancelTimer && this.armedForMs <= at && this.armedForMs > now)) return;
    this.cancelTimer?.();
    this.armedForMs = at;
    this.cancelTimer = this.p.timers.after(Math.max(0, at - now), () => {
      this.cancelTimer = undefined;
      this.react();
    });
  }

  /** The next departure, end of patience or end of a hold that matters to something waiting. */
  private nextStartMs(now: number): number {
    const { seats, gate, departures, facts, timing } = this.p;
    let at = Infinity;
    for (const priority of PRIORITIES) {
      for (const w of seats.waiting(priority)) {
        if (w.units === 0) continue;
        const answer = gate.check(priority, now);
        const due = answer.kind === 'open' ? departures.dueOfNth(1) : departures.nextMinimumDue(priority === 'P2' ? 1 : 2);
        if (due !== undefined) at = Math.min(at, due);
        if (answer.kind === 'blocked') at = Math.min(at, answer.untilMs);
        const patience = (w.oldestSince ?? now) + patienceMs(priority, w.nextUnits, facts.pods, facts.ratePerSecond, timing);
        if (priority !== 'P3' && patience > now) at = Math.min(at, patience + 0.1);
      }
    }
    return at;
  }
}
