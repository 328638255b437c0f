import type { Account, Clock, Priority } from '@commservice/contracts';
import { Reservation } from './reservation.js';
import { SlidingLimit, type Rank } from './sliding-limit.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** Most recipients remembered: more than any account sends to in a minute. Above it the oldest are forgotten. */
const MAX_RECIPIENTS = 200_000;
/** How long a pod's part of a brand limit is believed, ms. */
const PART_MS = 250;
/** Where the pod owns next to nothing, it may still send now and then. */
const LEAST_PART = 0.01;
const HELD_TO_BRAND: readonly Priority[] = ['P2', 'P3'];

/** One send as narrow limits see it. `recipient` is a keyed hash: this process knows no more of it here. */
export interface LimitedSend {
  readonly priority: Priority;
  readonly brand: string;
  readonly recipient: string;
  readonly units: number;
}

/** A lane that sends for an account: its part of the class's partitions is its part of a brand limit. */
export interface LimitedLane {
  readonly priority: Priority;
  /** Absent = all brands. */
  readonly brand?: string;
  readonly ownership: () => number;
}

/**
 * The narrow limits of one account in one pod: by brand and by recipient. Shared by the account's lanes in this process.
 * A recipient has one partition in each lane, so its limit is exact in each; a pod's part of a brand limit is the mean of
 * what it owns of the brand's P2 and P3 lanes, which adds up to the whole limit over all pods.
 * Without limits in the catalogue `none` is true, and nothing else is asked. Callers: SkippingStage, AccountState (follow).
 */
export class AccountLimits {
  private rules: Pick<Account, 'brandLimits' | 'recipientLimit'> = {};
  private readonly brands = new Map<string, SlidingLimit>();
  /** In the order of their latest reservation. */
  private readonly recipients = new Map<string, SlidingLimit>();
  private readonly lanes: LimitedLane[] = [];
  /** How often the rules changed: what waits by the ones before is to be looked at again. */
  changes = 0;
  private readonly parts = new Map<string, { readonly part: number; readonly untilMs: number }>();

  constructor(private readonly clock: Clock) {}

  get none(): boolean {
    return this.rules.brandLimits === undefined && this.rules.recipientLimit === undefined;
  }

  follow({ brandLimits, recipientLimit }: Pick<Account, 'brandLimits' | 'recipientLimit'>): void {
    this.rules = {
      ...(brandLimits && Object.keys(brandLimits).length > 0 ? { brandLimits } : {}),
      ...(recipientLimit ? { recipientLimit } : {}),
    };
    if (!recipientLimit) this.recipients.clear();
    this.changes++;
  }

  addLane(lane: LimitedLane): void {
    this.lanes.push(lane);
  }

  /** How long the send's brand must wait, ms; 0 = it may go. */
  brandWaitMs(send: LimitedSend, nowMs: number): number {
    if (!HELD_TO_BRAND.includes(send.priority) || !this.rules.brandLimits?.[send.brand]) return 0;
    return this.brand(send.brand).waitMs(
      send.units,
      rankOf(send.priority),
      this.capacityOf(send.brand, nowMs),
      nowMs,
    );
  }

  /** How long the send's recipient must wait, ms; 0 = it may go. */
  recipientWaitMs(send: LimitedSend, nowMs: number): number {
    const limit = this.recipientLimitOf(send);
    if (!limit) return 0;
    const known = this.recipients.get(send.recipient);
    return known?.waitMs(1, rankOf(send.priority), limit.perMinute, nowMs) ?? 0;
  }

  /** Counts the send at its limits from now on; ask both waits first. `held`: whether it had to wait for one. */
  reserve(send: LimitedSend, held: boolean): Reservation {
    const nowMs = this.clock.monotonic();
    const reservation = new Reservation(this.clock, held);
    const rank = rankOf(send.priority);
    if (this.rules.brandLimits?.[send.brand]) {
      const limit = this.brand(send.brand);
      const charge = limit.reserve(send.units, rank, this.capacityOf(send.brand, nowMs));
      reservation.add({ limit, charge, binding: HELD_TO_BRAND.includes(send.priority) });
    }
    const rule = this.recipientLimitOf(send);
    if (rule) {
      const limit = this.recipient(send.recipient, nowMs);
      reservation.add({ limit, charge: limit.reserve(1, rank, rule.perMinute), binding: true });
    }
    return reservation;
  }

  private recipientLimitOf(send: LimitedSend): Account['recipientLimit'] {
    const { recipientLimit } = this.rules;
    return recipientLimit?.priorities.includes(send.priority) ? recipientLimit : undefined;
  }

  private brand(name: string): SlidingLimit {
    let limit = this.brands.get(name);
    if (!limit) this.brands.set(name, (limit = new SlidingLimit(SECOND_MS)));
    return limit;
  }

  private recipient(key: string, nowMs: number): SlidingLimit {
    const limit = this.recipients.get(key) ?? new SlidingLimit(MINUTE_MS);
    this.recipients.delete(key);
    this.forgetIdle(nowMs);
    this.recipients.set(key, limit);
    return limit;
  }

  /** Forgets more than one comes in: the oldest, while they count for nothing or are too many. */
  private forgetIdle(nowMs: number): void {
    for (let i = 0; i < 2; i++) {
      const [oldest] = this.recipients;
      if (!oldest || (!oldest[1].isIdle(nowMs) && this.recipients.size <= MAX_RECIPIENTS)) return;
      this.recipients.delete(oldest[0]);
    }
  }

  private capacityOf(brand: string, nowMs: number): number {
    const known = this.parts.get(brand);
    const part = known && known.untilMs > nowMs ? known.part : this.partOf(brand, nowMs);
    return (this.rules.brandLimits?.[brand]?.ratePerSecond ?? Infinity) * part;
  }

  private partOf(brand: string, nowMs: number): number {
    const owned = (priority: Priority): number =>
      Math.max(
        0,
        ...this.lanes
          .filter((l) => l.priority === priority && (l.brand === undefined || l.brand === brand))
          .map((l) => l.ownership()),
      );
    const mean = HELD_TO_BRAND.reduce((sum, p) => sum + owned(p), 0) / HELD_TO_BRAND.length;
    const part = Math.max(LEAST_PART, mean);
    this.parts.set(brand, { part, untilMs: nowMs + PART_MS });
    return part;
  }
}

const rankOf = (priority: Priority): Rank => (priority === 'P1' ? 0 : priority === 'P2' ? 1 : 2);
