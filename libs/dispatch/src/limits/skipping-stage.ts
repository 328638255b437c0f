import type { Clock } from '@commservice/contracts';
import type { LaneItem } from '../lane-item.js';
import type { AccountLimits, LimitedSend } from './account-limits.js';
import type { Reservation } from './reservation.js';
import { SkippedFlows } from './skipped-flows.js';

/** Items put aside at most; above it the lane takes nothing more until one goes. */
const MAX_ITEMS = 1_000;
const MAX_BYTES = 8 * 1024 * 1024;
const RECIPIENT = 'recipient ';
const BRAND = 'brand ';

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
 * of an item: offered → RESERVED (goes on) | ASIDE → RESERVED when its limit opens. A reserved item that a more
 * urgent class has overtaken at its limit goes back aside (`skips`).
 * Invariants: of one brand and recipient, first come, first out; an item aside goes before newer ones that wait for the same
 * limit; at most 1 000 items and 8 MiB aside, one item more by size. Without limits nothing is kept. Caller: AdmitStep.
 */
export class SkippingStage {
  private readonly flows = new SkippedFlows<LaneItem>();
  private bytes = 0;
  private order = 0;
  private seenChanges = 0;
  private readonly unstarted = new Set<Reservation>();

  constructor(private readonly options: SkippingStageOptions) {}

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

  /** Whether the item goes on; else it is put aside and comes out of `due`. */
  offer(item: LaneItem): boolean {
    if (this.options.limits.none && this.flows.size === 0) return true;
    if (item.message.kind === 'heartbeat') return true;
    item.order = this.order++;
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
    const closed = this.closedFor(send, nowMs);
    if (!closed) {
      this.reserve(item, send, held);
      return true;
    }
    this.flows.add(closed.key, item.order, item, nowMs + closed.waitMs);
    this.bytes += item.record.bytes;
    return false;
  }

  /** Up to `room` items whose limits have opened, in the order in which they opened. */
  due(room: number, nowMs: number): LaneItem[] {
    const out: LaneItem[] = [];
    if (this.flows.size === 0) return out;
    const { changes } = this.options.limits;
    if (changes !== this.seenChanges) this.flows.openAll(nowMs);
    this.seenChanges = changes;
    while (out.length < room) {
      const flow = this.flows.takeOpen(nowMs);
      if (!flow) break;
      const { item } = flow.waiting[0] as { item: LaneItem };
      const send = sendOf(item);
      const closed = this.closedFor(send, nowMs, flow.key);
      if (closed?.key === flow.key) {
        this.flows.putBack(flow, nowMs + closed.waitMs);
        continue;
      }
      this.flows.shift(flow);
      this.flows.putBack(flow, nowMs);
      if (closed) this.flows.add(closed.key, item.order, item, nowMs + closed.waitMs);
      else {
        this.bytes -= item.record.bytes;
        this.reserve(item, send, true);
        out.push(item);
      }
    }
    return out;
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
    return { waiting: this.flows.size, nextInMs, says: this.says() };
  }

  private says(): string {
    let recipients = 0;
    let [held, parts]: [number, string[]] = [0, []];
    for (const { key, waiting } of this.flows.all()) {
      if (key.startsWith(BRAND)) parts = [...parts, `${waiting.length} for the limit of ${key}`];
      else {
        recipients++;
        held += waiting.length;
      }
    }
    if (recipients > 0)
      parts.push(`${held} for the limit of ${recipients} ${recipients === 1 ? 'recipient' : 'recipients'}`);
    const others = this.isFull ? 'no more can be put aside: the lane waits for them' : 'others go past them';
    return `messages wait: ${parts.join(', ')}; ${others}`;
  }

  /** The limit that keeps a send, and for how long. Who comes waits behind those who wait already. */
  private closedFor(
    send: LimitedSend,
    nowMs: number,
    own?: string,
  ): { readonly key: string; readonly waitMs: number } | undefined {
    const { limits } = this.options;
    const recipient = RECIPIENT + send.brand + ' ' + send.recipient;
    const recipientMs = limits.recipientWaitMs(send, nowMs);
    if (recipientMs > 0 || (own !== recipient && this.flows.has(recipient)))
      return { key: recipient, waitMs: recipientMs };
    const brand = BRAND + send.brand;
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
