import type { LeaseAnswer, LeaseRequest } from './coordinator.js';
import { ClockOffset } from './clock-offset.js';
import type { Authority, LinkOptions } from './link-options.js';

/** A call in the air for this long raises doubt, ms: a healthy one takes a few, and what is granted lasts some tens more. */
const DOUBT_MS = 15;
/** Shortest deadline of the probe that ends a silence, ms. */
const LEAST_DEADLINE_MS = 10;

/**
 * This pod's line to the authority. States: STARTING → COORDINATED at the first answer; either → ALONE after
 * a silence so long that the coordinator withholds this pod's share from the others; ALONE → COORDINATED at the next answer
 * of an authority that grants.
 *
 * How a silence goes, from the last answered call: what it granted lasts one horizon. A call without an answer for 15 ms, or
 * one that fails, raises DOUBT while some of that is left: the scope keeps part of it back for P1 (Departures). The pod is
 * ALONE when its announced time and one horizon (`settleMs`) are over, not a probe later: the last probe ends right then. Going
 * alone sooner would spend what the coordinator grants to others until it misses this pod's call. An authority that
 * lost its memory grants nothing for one horizon; until that is over a lone pod stays alone, and doubt goes on in one that is not.
 *
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
  /** The last call had no answer; it may have been heard all the same. */
  private missed = false;
  private calling = false;
  private again = false;
  private closed = false;
  private doubtful = false;
  /** Highest sequence of answers that were heard and not taken over. */
  private seenSequence = 0;
  private cancelProbe: () => void = () => undefined;
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
    if (this.authority === 'alone') void this.callFallback();
    if (this.authority === 'alone' && this.o.clock.monotonic() - this.lastCallMs < this.o.probeMs) return;
    this.probe();
  }

  close(): void {
    this.doubt(false);
    this.closed = true;
    this.cancelProbe();
  }

  private probe(): void {
    if (this.closed) return;
    if (this.calling) this.again = true;
    else void this.callCoordinator(this.o.clock.monotonic());
  }

  private probeIn(delayMs: number): void {
    this.cancelProbe();
    this.cancelProbe = this.o.timers.after(Math.max(0, delayMs), () => this.probe());
  }

  private async callCoordinator(sentAtMs: number): Promise<void> {
    this.calling = true;
    this.lastCallMs = sentAtMs;
    this.cancelProbe();
    const asked = this.o.request(false);
    const request = {
      ...asked,
      seenSequence: Math.max(asked.seenSequence, this.seenSequence),
      nextCallWithinMs: this.announces(asked, sentAtMs),
    };
    const settled = this.o.timers.after(DOUBT_MS, () => this.doubt(true));
    const result = await this.o.coordinator.lease(request, this.deadlineMs(sentAtMs));
    settled();
    const now = this.o.clock.monotonic();
    this.calling = false;
    this.o.onCall(result.kind === 'answer', now - sentAtMs);
    if (this.closed) return;
    if (result.kind === 'answer' && now - sentAtMs > this.o.staleAfterMs()) this.again = true;
    else if (result.kind === 'answer') this.hear(result.answer, request, sentAtMs, now);
    else {
      if (!this.missed) this.announcedMs = Math.max(this.announcedMs, sentAtMs + request.nextCallWithinMs);
      this.missed = true;
      this.turnAloneWhenSilent(now - sentAtMs);
      this.o.onUnanswered(request, result.reason);
    }
    const again = this.again;
    this.again = false;
    if (again) this.call();
  }

  /** After a call without an answer no later one announces more: else a pod that is alone could count as heard. */
  private announces(asked: LeaseRequest, nowMs: number): number {
    const left = Math.max(0, this.announcedMs - nowMs);
    return this.missed ? Math.min(asked.nextCallWithinMs, left) : asked.nextCallWithinMs;
  }

  private hear(answer: LeaseAnswer, request: LeaseRequest, sentAtMs: number, now: number): void {
    this.heardAtMs = sentAtMs;
    this.announcedMs = now + request.nextCallWithinMs;
    this.missed = false;
    this.offset.sample(answer.nowMs, sentAtMs, now);
    const graceMs = graceLeftMs(answer, request);
    if (graceMs > 0) this.probeIn(graceMs);
    if (graceMs > 0 && this.authority === 'alone') {
      this.seenSequence = answer.sequence;
      return;
    }
    this.become('coordinated');
    this.doubt(graceMs > 0);
    this.o.onAnswer(answer, sentAtMs, (ms) => this.offset.toLocal(ms));
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

  /** When others' grants that reckon with this pod's next call are over. */
  private get aloneAtMs(): number {
    return this.announcedMs + this.o.settleMs();
  }

  /** The last probe of a silence ends when the pod may be alone. */
  private deadlineMs(nowMs: number): number {
    const leftMs = this.aloneAtMs - nowMs;
    const { deadlineMs } = this.o;
    if (this.authority === 'alone' || leftMs <= 0 || leftMs >= deadlineMs) return deadlineMs;
    return Math.max(LEAST_DEADLINE_MS, leftMs);
  }

  /** Only a call without an answer tells silence: a pod that was busy or frozen asks first. */
  private turnAloneWhenSilent(tookMs: number): void {
    if (this.authority === 'alone') return;
    const leftMs = this.aloneAtMs - this.o.clock.monotonic();
    if (leftMs > 0) {
      this.doubt(true);
      // a refusal comes at once, a silence at the deadline
      this.probeIn(leftMs - (tookMs < LEAST_DEADLINE_MS ? 0 : this.o.deadlineMs));
      return;
    }
    this.become('alone');
    this.again = true;
  }

  private doubt(doubtful: boolean): void {
    if (this.closed || this.authority !== 'coordinated' || this.doubtful === doubtful) return;
    this.doubtful = doubtful;
    this.o.onDoubt(doubtful);
  }

  private become(authority: Authority): void {
    const before = this.authority;
    if (before === authority) return;
    this.doubt(false);
    this.authority = authority;
    this.o.onAuthority(authority, before);
  }
}

/** How much longer an authority grants nothing because its life just began; its name tells when, in microseconds. */
const graceLeftMs = (answer: LeaseAnswer, request: LeaseRequest): number =>
  Number(answer.run) / 1000 + request.horizonMs - answer.nowMs;
