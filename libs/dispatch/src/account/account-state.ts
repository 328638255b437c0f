import type { Account, Clock, Priority, SendResult } from '@commservice/contracts';
import { Breaker } from './breaker.js';
import { CallLatency } from './latency.js';

const INITIAL_LATENCY_MS = 50;
const THROTTLE_DEFAULT_MS = 1_000;
const THROTTLE_MAX_MS = 60_000;
const MISCONFIGURED_PAUSE_MS = 30_000;
const MIN_SLOTS = 8;
/** Faults on our side of the wire: they say nothing about the vendor. */
const OUR_FAULTS = new Set(['aborted', 'draining', 'expired', 'no_connection', 'timeout', 'unsendable']);

/**
 * What this pod knows of one account: whether it answers, whether it throttles, how long it takes. Shared by the account's
 * lanes in this process.
 *
 * A silent vendor (no answer at all) holds back P2 and P3 only: a hung call must not delay the next code.
 */
export class AccountState {
  readonly latency = new CallLatency(INITIAL_LATENCY_MS);
  private readonly faults = new Breaker();
  private readonly silence = new Breaker();
  private pausedUntil = 0;
  private readonly inFlight: Record<Priority, number> = { P1: 0, P2: 0, P3: 0 };

  constructor(
    readonly name: string,
    readonly account: Account,
    private readonly clock: Clock,
  ) {}

  /** Whether retryable faults are the provider's rather than a record's. */
  get down(): boolean {
    return this.faults.open;
  }

  /** How long a class must wait before its next call because of the account itself, ms; 0 = none. */
  waitMs(priority: Priority): number {
    const now = this.clock.monotonic();
    const silence = priority === 'P1' ? 0 : this.silence.waitMs(now);
    return Math.max(this.pausedUntil - now, this.faults.waitMs(now, priority === 'P1'), silence, 0);
  }

  /** Whether the account itself lets this class start a call now. */
  mayStart(priority: Priority): boolean {
    return this.waitMs(priority) === 0;
  }

  /**
   * Sends a lane may have in the air: what R × the provider's p99 latency needs, within half the account's in-flight limit.
   * P1 has the other half to itself, so that hung calls of any class leave it room.
   */
  slots(priority: Priority): number {
    const half = Math.max(1, Math.floor(this.account.inFlight / 2));
    if (priority === 'P1') return half;
    const needed = Math.ceil((this.account.ratePerSecond * this.latency.quantile(0.99)) / 1000);
    return Math.min(half, Math.max(MIN_SLOTS, needed + 2));
  }

  /** Whether the class has a slot left, over all its lanes of this account in this process. */
  hasSlot(priority: Priority): boolean {
    return this.inFlight[priority] < this.slots(priority);
  }

  started(priority: Priority): void {
    this.inFlight[priority]++;
    this.faults.started();
    this.silence.started();
  }

  /** Notes a call's result. Returns until when (monotonic ms) the account throttles or fails, if it does. */
  ended(priority: Priority, result: SendResult, latencyMs: number): number | undefined {
    this.inFlight[priority]--;
    const now = this.clock.monotonic();
    if (result.kind === 'accepted') this.latency.note(latencyMs);
    if (!isOurs(result)) {
      this.faults.note(!isAccountFault(result), now);
      this.silence.note(result.kind !== 'unknown', now);
    }
    if (result.kind === 'throttled' && result.scope === 'account') {
      this.pause(Math.min(result.retryAfterMs ?? THROTTLE_DEFAULT_MS, THROTTLE_MAX_MS));
    }
    if (result.kind === 'misconfigured' && result.scope === 'account') this.pause(MISCONFIGURED_PAUSE_MS);
    const troubleUntil = Math.max(this.pausedUntil, now + this.faults.waitMs(now));
    return troubleUntil > now ? troubleUntil : undefined;
  }

  private pause(ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.clock.monotonic() + ms);
  }
}

/** A fault of the account as a whole; a sender's or a recipient's is the record's own. */
const isAccountFault = (result: SendResult): boolean =>
  result.kind === 'retryable' || (result.kind === 'misconfigured' && result.scope === 'account');

const isOurs = (result: SendResult): boolean =>
  result.kind === 'retryable' && OUR_FAULTS.has(result.error.code);
