import type { Clock } from '@commservice/contracts';
import type { Coordinator, LeaseAnswer, LeaseRequest } from './coordinator.js';
import { ClockOffset } from './clock-offset.js';

export type Authority = 'starting' | 'coordinated' | 'alone';

export interface LinkOptions {
  readonly coordinator: Coordinator;
  /** Grants this pod's own share while the coordinator is silent. */
  readonly fallback: Coordinator;
  readonly clock: Clock;
  readonly deadlineMs: number;
  /** Between two attempts to reach the coordinator while alone. */
  readonly probeMs: number;
  /** How soon the first answer must come: until then the pod counts as having announced its next call. */
  readonly aloneAfterMs: number;
  /**
   * How long departures last that the coordinator granted to others before it missed this pod's call: the pod is alone
   * this long after the moment by which it had announced its next call.
   */
  readonly settleMs: () => number;
  /** An answer read this long after its call (the pod was frozen) tells nothing: all it grants is past. */
  readonly staleAfterMs: () => number;
  /** @param alone whether the request goes to the fallback */
  readonly request: (alone: boolean) => LeaseRequest;
  readonly onAnswer: (answer: LeaseAnswer, sentAtMs: number, toLocal: (ms: number) => number) => void;
  readonly onUnanswered: (request: LeaseRequest, reason: string) => void;
  readonly onAuthority: (now: Authority, before: Authority) => void;
  readonly onCall: (answered: boolean, durationMs: number) => void;
}

/**
 * This pod's line to the authority. States: STARTING → COORDINATED at the first answer; either → ALONE after
 * a silence so long that the coordinator withholds this pod's share from the others; ALONE → COORDINATED at the next answer.
 * Invariants: one call to the coordinator at a time, others wait for its end and become one; nothing here waits longer
 * than `deadlineMs`. Caller: ScopeMutex.
 */
export class CoordinatorLink {
  authority: Authority = 'starting';
  /** When the call that was answered last was sent; at first, when the link was made. */
  private heardAtMs: number;
  private lastCallMs = -Infinity;
  /** Until when the coordinator counts this pod as heard, as announced in the last answered call. */
  private announcedMs: number;
  private calling = false;
  private again = false;
  private closed = false;
  private readonly offset = new ClockOffset();
  private readonly localOffset = new ClockOffset();

  constructor(private readonly o: LinkOptions) {
    this.heardAtMs = o.clock.monotonic();
    this.announcedMs = this.heardAtMs + o.aloneAfterMs;
  }

  /** Time since the last answered call was sent, ms. */
  silenceMs(nowMs: number): number {
    return nowMs - this.heardAtMs;
  }

  get busy(): boolean {
    return this.calling;
  }

  toLocal(remoteMs: number): number {
    return this.authority === 'alone' ? this.localOffset.toLocal(remoteMs) : this.offset.toLocal(remoteMs);
  }

  /** Asks for a lease now, or right after the call in the air. */
  call(): void {
    if (this.closed) return;
    const now = this.o.clock.monotonic();
    if (this.authority === 'alone') void this.callFallback();
    if (this.authority === 'alone' && now - this.lastCallMs < this.o.probeMs) return;
    if (this.calling) this.again = true;
    else void this.callCoordinator(now);
  }

  close(): void {
    this.closed = true;
  }

  private async callCoordinator(sentAtMs: number): Promise<void> {
    this.calling = true;
    this.lastCallMs = sentAtMs;
    const request = this.o.request(false);
    const result = await this.o.coordinator.lease(request, this.o.deadlineMs);
    const now = this.o.clock.monotonic();
    this.calling = false;
    this.o.onCall(result.kind === 'answer', now - sentAtMs);
    if (this.closed) return;
    if (result.kind === 'answer' && now - sentAtMs > this.o.staleAfterMs()) this.again = true;
    else if (result.kind === 'answer') {
      this.heardAtMs = sentAtMs;
      this.announcedMs = now + request.nextCallWithinMs;
      this.offset.sample(result.answer.nowMs, sentAtMs, now);
      this.become('coordinated');
      this.o.onAnswer(result.answer, sentAtMs, (ms) => this.offset.toLocal(ms));
    } else {
      this.turnAloneWhenSilent();
      this.o.onUnanswered(request, result.reason);
    }
    const again = this.again;
    this.again = false;
    if (again) this.call();
  }

  private async callFallback(): Promise<void> {
    const sentAtMs = this.o.clock.monotonic();
    const request = this.o.request(true);
    if (request.ratePerSecond <= 0) return;
    const result = await this.o.fallback.lease(request, this.o.deadlineMs);
    if (this.closed || this.authority !== 'alone' || result.kind !== 'answer') return;
    this.localOffset.sample(result.answer.nowMs, sentAtMs, this.o.clock.monotonic());
    this.o.onAnswer(result.answer, sentAtMs, (ms) => this.localOffset.toLocal(ms));
  }

  /** Only a call without an answer tells silence: a pod that was busy or frozen asks first. */
  private turnAloneWhenSilent(): void {
    if (this.authority === 'alone' || this.o.clock.monotonic() < this.announcedMs + this.o.settleMs()) return;
    this.become('alone');
    this.again = true;
  }

  private become(authority: Authority): void {
    const before = this.authority;
    if (before === authority) return;
    this.authority = authority;
    this.o.onAuthority(authority, before);
  }
}
