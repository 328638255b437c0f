import type { Account, Clock, Priority, SendResult } from '@commservice/contracts';
import { AccountLimits } from '../limits/account-limits.js';
import { Breaker } from './breaker.js';
import { CallLatency } from './latency.js';
import { Refusal } from './refusal.js';
import { faultSign, judgesMessages, noteAt, silenceSign } from './signs.js';

const INITIAL_LATENCY_MS = 50;
const THROTTLE_DEFAULT_MS = 1_000;
const THROTTLE_MAX_MS = 60_000;
const MIN_SLOTS = 8;
/** How far a provider's connections let the in-flight limit of its account rise while it runs. */
const CONNECTION_HEADROOM = 4;

/** The highest in-flight limit that connections built for `account` allow. */
export const mostInFlight = (account: Pick<Account, 'inFlight'>): number =>
  account.inFlight * CONNECTION_HEADROOM;

/**
 * What this pod knows of one account: whether it answers, whether it throttles, how long it takes. Shared by the account's
 * lanes in this process.
 *
 * A silent vendor (no answer at all) holds back P2 and P3 only: a hung call must not delay the next code.
 */
export class AccountState {
  readonly latency = new CallLatency(INITIAL_LATENCY_MS);
  /** By brand and recipient. */
  readonly limits: AccountLimits;
  private readonly faults = new Breaker();
  private readonly silence = new Breaker();
  private readonly refusal = new Refusal();
  private throttledUntil = 0;
  private contract: Account;
  private readonly inFlight: Record<Priority, number> = { P1: 0, P2: 0, P3: 0 };

  constructor(
    readonly name: string,
    private readonly atStart: Account,
    private readonly clock: Clock,
  ) {
    this.contract = atStart;
    this.limits = new AccountLimits(clock);
    this.limits.follow(atStart);
  }

  /** The contract that holds now. */
  get account(): Account {
    return this.contract;
  }

  /** Most connections of one lane: its slots, also after the in-flight limit rose. */
  get connections(): number {
    return Math.max(1, Math.floor(mostInFlight(this.atStart) / 2));
  }

  /** Takes over what may change while it runs: R, the in-flight limit, the timeouts and the narrow limits. */
  follow(next: Account): void {
    const { ratePerSecond, inFlight, timeoutMs } = next;
    this.limits.follow(next);
    const within = Math.min(inFlight, mostInFlight(this.atStart));
    this.contract = { ...this.atStart, ratePerSecond, timeoutMs, inFlight: within };
  }

  /** Whether faults are the provider's rather than a record's: it fails, falls silent or refuses the account. */
  get down(): boolean {
    return this.faults.open || this.silence.open || this.refusal.proven;
  }

  /** Whether it takes calls and does not answer them: P1 goes on trying where it has no other account. */
  get silent(): boolean {
    return this.silence.open;
  }

  /** How long a class must wait before its next call because of the account itself, ms; 0 = none. */
  waitMs(priority: Priority): number {
    const now = this.clock.monotonic();
    const urgent = priority === 'P1';
    const silence = urgent ? 0 : this.silence.waitMs(now);
    const refusal = this.refusal.waitMs(now, urgent);
    return Math.max(this.throttledUntil - now, this.faults.waitMs(now, urgent), silence, refusal, 0);
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

  /**
   * Notes a call's result. Returns until when (monotonic ms) the account throttles or fails, if it does.
   * @param record id of the message: one that fails again and again does not stand for its account
   */
  ended(priority: Priority, result: SendResult, latencyMs: number, record?: string): number | undefined {
    this.inFlight[priority]--;
    const now = this.clock.monotonic();
    if (result.kind === 'accepted') this.latency.note(latencyMs);
    noteAt(this.faults, faultSign(result), now, record);
    noteAt(this.silence, silenceSign(result), now, record);
    if (judgesMessages(result)) this.refusal.clear();
    if (result.kind === 'misconfigured' && result.scope === 'account')
      this.refusal.note(priority, !result.error.unmapped, now);
    if (result.kind === 'throttled' && result.scope === 'account') {
      const throttleMs = Math.min(result.retryAfterMs ?? THROTTLE_DEFAULT_MS, THROTTLE_MAX_MS);
      this.throttledUntil = Math.max(this.throttledUntil, now + throttleMs);
    }
    const failingUntil = Math.max(this.refusal.untilMs, now + this.faults.waitMs(now));
    const troubleUntil = Math.max(this.throttledUntil, failingUntil);
    return troubleUntil > now ? troubleUntil : undefined;
  }
}
