import type { Clock } from '@commservice/contracts';
import type { LaneItem } from '../lane-item.js';
import type { AccountLimits, LimitedSend } from './account-limits.js';
import { AsideExpiry, isOver } from './aside-expiry.js';
import { brandKey, recipientKey, saysOf } from './flow-keys.js';
import type { Reservation } from './reservation.js';
import { SkippedFlows, type Flow } from './skipped-flows.js';

/** Items put aside at most; above it the lane takes nothing more until one goes. */
const MAX_ITEMS = 1_000;
const MAX_BYTES = 8 * 1024 * 1024;
/** Looks of one `due` for each item aside: an item needs two or three. What is open after that waits a moment. */
const LOOKS_EACH = 4;
const LOOK_AGAIN_MS = 10;

/** What waits for narrow limits, for `GET /lanes`. */
export interface SkippedView {
  readonly waiting: number;
  /** When the first of them may go, ms from now. */
  readonly nextInMs: number;
  readonly says: string;
}

export interface SkippingStageOptions {
  readonly limits: AccountLimits;
  readonly clock: Clock;
}

/**
 * Lets a lane skip over items whose narrow limit (brand, recipient) is closed, so that those behind them start now. States
 * of an item: offered → RESERVED (goes on) | ASIDE → RESERVED when its limit opens, or OVER when it expires. What is over goes
 * on as well, without a reservation, and is ended where it would be sent. Aside, an item waits for its recipient first, then
 * for its brand, and from there goes back only when its recipient is closed or an older one waits there.
 * A reserved item that a more urgent class has overtaken at its limit goes back aside (`skips`).
 * Invariants: of one brand and recipient, first come, first out; an item aside goes before newer ones that wait for the same
 * limit; at most 1 000 items and 8 MiB aside, one item more by size; a `due` ends after a bounded number of looks.
 * Without limits nothing is kept. Caller: AdmitStep.
 */
export class SkippingStage {
  private readonly flows = new SkippedFlows<LaneItem>();
  private readonly expiry: AsideExpiry;
  private bytes = 0;
  private order = 0;
  private seenChanges = 0;
  private readonly unstarted = new Set<Reservation>();

  constructor(private readonly options: SkippingStageOptions) {
    this.expiry = new AsideExpiry(this.flows, options.clock);
  }

  /** Whether nothing more can be put aside: nothing may be offered then. */
  get isFull(): boolean {
    return this.flows.size >= MAX_ITEMS || this.bytes >= MAX_BYTES;
  }

  get waiting(): number {
    return this.flows.size;
  }

  /** When the first item aside may go, monotonic ms; undefined when there is none. */
  get nextOpenAtMs(): number | undefined {
    return this.flows.nextOpenAtMs;
  }

  /** When something aside may have expired, monotonic ms; undefined when there is none. */
  get nextExpiryAtMs(): number | undefined {
    return this.expiry.nextMs;
  }

  /** Whether the item goes on; else it is put aside and comes out of `due`. */
  offer(item: LaneItem): boolean {
    if (this.options.limits.none && this.flows.size === 0) return true;
    if (item.message.kind === 'heartbeat') return true;
    item.order = this.order++;
    if (isOver(item, this.options.clock)) return true;
    return this.pass(item, false);
  }

  /** Whether an item that was let go on must wait again: then it is put aside, in its old place. */
  skips(item: LaneItem): boolean {
    if (!item.narrow || item.narrow.mayStart) return false;
    item.narrow.end();
    item.narrow = undefined;
    return !this.pass(item, true);
  }

  private pass(item: LaneItem, held: boolean): boolean {
    const nowMs = this.options.clock.monotonic();
    const send = sendOf(item);
    const closed = this.closedFor(item, send, nowMs);
    if (!closed) {
      this.reserve(item, send, held);
      return true;
    }
    this.flows.add(closed.key, item.order, item, nowMs + closed.waitMs);
    this.bytes += item.record.bytes;
    this.expiry.watch(item);
    return false;
  }

  /** Up to `room` items: those whose time is over, then those whose limits have opened, in the order in which they opened. */
  due(room: number, nowMs: number): LaneItem[] {
    if (this.flows.size === 0) return [];
    const out = this.expiry.take(room, nowMs);
    for (const item of out) this.bytes -= item.record.bytes;
    const { changes } = this.options.limits;
    if (changes !== this.seenChanges) this.flows.openAll(nowMs);
    this.seenChanges = changes;
    for (let looks = LOOKS_EACH * this.flows.size; out.length < room; looks--) {
      if (looks <= 0) {
        this.flows.postpone(nowMs, nowMs + LOOK_AGAIN_MS);
        break;
      }
      const flow = this.flows.takeOpen(nowMs);
      if (!flow) break;
      const item = this.look(flow, nowMs);
      if (item) out.push(item);
    }
    return out;
  }

  /** Looks at the first of an open flow: it goes on, stays, or waits for another limit from now on. */
  private look(flow: Flow<LaneItem>, nowMs: number): LaneItem | undefined {
    const { item } = flow.waiting[0] as { item: LaneItem };
    const send = sendOf(item);
    const closed = this.closedFor(item, send, nowMs, flow.key);
    if (closed?.key === flow.key) {
      this.flows.putBack(flow, nowMs + closed.waitMs);
      return undefined;
    }
    this.flows.shift(flow);
    this.flows.putBack(flow, nowMs);
    if (closed) {
      this.flows.add(closed.key, item.order, item, nowMs + closed.waitMs);
      return undefined;
    }
    this.bytes -= item.record.bytes;
    this.reserve(item, send, true);
    return item;
  }

  /** The generation changed, or the lane stops: forgets what is aside, and what was reserved and has not started. */
  clear(): void {
    this.flows.clear();
    this.bytes = 0;
    for (const reservation of [...this.unstarted]) reservation.end();
  }

  /** Undefined while nothing is aside. */
  view(): SkippedView | undefined {
    const nextOpenAtMs = this.flows.nextOpenAtMs;
    if (nextOpenAtMs === undefined) return undefined;
    const nextInMs = Math.max(0, Math.round(nextOpenAtMs - this.options.clock.monotonic()));
    return { waiting: this.flows.size, nextInMs, says: saysOf(this.flows.all(), this.isFull) };
  }

  /**
   * The limit that keeps an item, and for how long. Who comes waits behind those who wait already; one that comes from its
   * brand's flow (`own`) has waited for its recipient, so only older ones go before it there: else it went to and fro for ever.
   */
  private closedFor(
    item: LaneItem,
    send: LimitedSend,
    nowMs: number,
    own?: string,
  ): { readonly key: string; readonly waitMs: number } | undefined {
    const { limits } = this.options;
    const recipient = recipientKey(send);
    const brand = brandKey(send);
    const recipientMs = limits.recipientWaitMs(send, nowMs);
    const behind =
      own === brand
        ? this.flows.hasBefore(recipient, item.order)
        : own !== recipient && this.flows.has(recipient);
    if (recipientMs > 0 || behind) return { key: recipient, waitMs: recipientMs };
    const brandMs = limits.brandWaitMs(send, nowMs);
    if (brandMs > 0 || (own !== brand && this.flows.has(brand))) return { key: brand, waitMs: brandMs };
    return undefined;
  }

  private reserve(item: LaneItem, send: LimitedSend, held: boolean): void {
    if (this.options.limits.none) return;
    item.narrow = this.options.limits.reserve(send, held);
    item.narrow.listIn(this.unstarted);
  }
}

const sendOf = ({ message, record }: LaneItem): LimitedSend => ({
  priority: message.priority,
  brand: message.brand,
  recipient: record.key?.toString('latin1') ?? message.id,
  units: message.units,
});
