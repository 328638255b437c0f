import { PRIORITIES, type MutexMode } from '@commservice/contracts';
import type { Edge, LeaseAnswer, LeaseRequest } from './coordinator/coordinator.js';
import { CoordinatorLink } from './coordinator/link.js';
import { MemoryCoordinator } from './coordinator/memory-coordinator.js';
import { takeAnswer } from './lease-answer.js';
import { blockedAt, horizonMs, leaseRequest, nextCallWithinMs, wanted } from './lease-request.js';
import { P1_GAP_MS, nextCallMs, nextStartMs, type CallTimes } from './lease-schedule.js';
import type { ScopeParts } from './scope-parts.js';
import { usable } from './tokens/demand.js';

/**
 * Decides when to call the coordinator and when to look again, with one timer: at the next departure while something
 * waits, when a class's patience ends, when a hold ends, when the next lease is due. Idle it only polls.
 * Caller: ScopeMutex.
 */
export class LeaseLoop {
  /** A new one when the mode goes to or from `local`: another coordinator is asked then. */
  link: CoordinatorLink;
  private cancelTimer: (() => void) | undefined;
  private armedForMs = Infinity;
  private unsubscribe: (() => void) | undefined;
  private running = false;
  private readonly times: CallTimes = {
    lastCallMs: -Infinity,
    lastPressMs: { P1: -Infinity, P2: -Infinity, P3: -Infinity },
  };
  leases = 0;
  leasesUnanswered = 0;

  constructor(private readonly p: ScopeParts) {
    this.link = this.makeLink();
  }

  private makeLink(): CoordinatorLink {
    const { p } = this;
    // alone, the pod has waited already for what others were granted; in mode local nobody has
    const graceMs = p.facts.mode === 'local' ? p.timing.horizonMs : 0;
    const fallback = new MemoryCoordinator(() => p.clock.monotonic(), { graceMs });
    return new CoordinatorLink({
      coordinator: p.facts.mode === 'local' ? fallback : p.coordinator,
      fallback,
      clock: p.clock,
      timers: p.timers,
      deadlineMs: p.timing.deadlineMs,
      probeMs: p.timing.pollMs,
      aloneAfterMs: nextCallWithinMs(p),
      staleAfterMs: () => horizonMs(p),
      settleMs: () => horizonMs(p) + p.timing.lapseMs,
      request: (alone) => this.request(alone),
      onAnswer: (answer, sentAtMs, toLocal) => this.take(answer, sentAtMs, toLocal),
      onUnanswered: (request, reason) => this.unanswered(request, reason),
      onAuthority: (now, before) => this.authorityChanged(now, before),
      onCall: (answered, ms) => this.countCall(answered, ms),
      onDoubt: (doubtful) => p.departures.standing.bridge(doubtful),
    });
  }

  start(): void {
    if (this.running) return;
    this.running = true;
    this.listen();
    this.callNow();
    this.arm();
  }

  async stop(): Promise<void> {
    if (!this.running) return;
    this.running = false;
    this.cancelTimer?.();
    this.unsubscribe?.();
    this.link.close();
    const { facts, coordinator, scope, pod, timing } = this.p;
    if (facts.mode !== 'local') await coordinator.leave(scope, pod, timing.deadlineMs);
  }

  /** The mode is another one now. Who goes `local` takes no leave: the coordinator must keep its part from the others. */
  modeChanged(before: MutexMode): void {
    const { facts } = this.p;
    for (const c of PRIORITIES) facts.asked[c] = 0;
    if (facts.mode === 'local' || before === 'local') {
      this.unsubscribe?.();
      this.link.close();
      this.dropGrants();
      facts.ratePerSecond = facts.contract.ratePerSecond;
      facts.silent = false;
      this.link = this.makeLink();
      if (this.running) this.listen();
    }
    // at once, or right after the call in the air, which asked under the mode before
    this.times.lastCallMs = -Infinity;
    this.react();
  }

  /** The contract is another one now: all pods are to hear of it at once, or right after the call in the air. */
  contractChanged(): void {
    this.times.lastCallMs = -Infinity;
    this.react();
  }

  private listen(): void {
    const { facts, coordinator, scope } = this.p;
    if (facts.mode !== 'local') this.unsubscribe = coordinator.onEdge(scope, (e) => this.edge(e));
  }

  /** Something changed: start what may start, ask for what is missing, look again when the next thing is due. */
  react(): void {
    if (!this.running) return;
    const now = this.p.clock.monotonic();
    this.voidOldStock(now);
    this.p.tokens.wake(now);
    if (!this.link.busy && nextCallMs(this.p, this.times, now) <= now) this.callNow();
    this.arm();
  }

  /** When the next lease may bring tokens, monotonic ms. */
  nextLeaseMs(): number {
    return Math.max(
      this.times.lastCallMs + P1_GAP_MS,
      nextCallMs(this.p, this.times, this.p.clock.monotonic()),
    );
  }

  private callNow(): void {
    this.times.lastCallMs = this.p.clock.monotonic();
    this.link.call();
  }

  private voidOldStock(now: number): void {
    if (this.link.authority !== 'alone' && this.link.silenceMs(now) > this.p.timing.viewMaxAgeMs)
      this.p.departures.standing.empty();
  }

  private request(alone: boolean): LeaseRequest {
    const request = leaseRequest(this.p, alone, alone === (this.link.authority === 'alone'));
    const now = this.p.clock.monotonic();
    for (const c of request.pressing) this.times.lastPressMs[c] = now;
    return request;
  }

  private take(answer: LeaseAnswer, sentAtMs: number, toLocal: (ms: number) => number): void {
    const coordinated = this.link.authority !== 'alone' && this.p.facts.mode !== 'local';
    takeAnswer(this.p, answer, { sentAtMs, toLocal, coordinated });
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
    const { facts, logger, scope } = this.p;
    // What one authority granted does not count under the other; the coordinator's answer brings new ones.
    if (now === 'alone' || before === 'alone') this.dropGrants();
    if (before === 'alone') facts.ratePerSecond = facts.contract.ratePerSecond;
    facts.silent = false;
    for (const c of PRIORITIES) facts.asked[c] = 0;
    logger.info({ scope, authority: now, before }, 'the authority over tokens changed');
  }

  private dropGrants(): void {
    this.p.departures.dropDepartures();
    this.p.departures.standing.allow(0);
  }

  private edge(edge: Edge): void {
    const { gate, facts, departures, clock, pod } = this.p;
    if (!this.running || edge.pod === pod || this.link.authority !== 'coordinated') return;
    if (edge.kind === 'freed') {
      for (const c of PRIORITIES) facts.asked[c] = 0;
    } else {
      const now = clock.monotonic();
      gate.note(edge.holds, (ms) => this.link.toLocal(ms), now);
      // Departures that the gate makes useless here are what the pressing pod waits for.
      if (departures.pendingUnits > usable(wanted(this.p), blockedAt(this.p, now)) + 1 && !this.link.busy)
        this.callNow();
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
    const at = Math.min(
      nextStartMs(this.p, now),
      this.link.busy ? Infinity : nextCallMs(this.p, this.times, now),
    );
    if (at === Infinity || (this.cancelTimer && this.armedForMs <= at && this.armedForMs > now)) return;
    this.cancelTimer?.();
    this.armedForMs = at;
    this.cancelTimer = this.p.timers.after(Math.max(0, at - now), () => {
      this.cancelTimer = undefined;
      this.react();
    });
  }
}
