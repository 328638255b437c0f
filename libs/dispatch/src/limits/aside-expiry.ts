import type { Clock } from '@commservice/contracts';
import type { LaneItem } from '../lane-item.js';
import type { SkippedFlows } from './skipped-flows.js';

/** Between two looks through everything aside at least, ms. */
const LOOK_EVERY_MS = 100;

/** Whether an item's time is over: it goes on, to be ended as expired. */
export function isOver(item: LaneItem, clock: Clock): boolean {
  return item.message.expiresAt <= clock.now();
}

/**
 * Knows when the first item aside expires, so that what can never be sent leaves its place and its offset. A look goes
 * through all that is aside (1 000 at most), only when one may have expired and at most every 100 ms.
 * Invariant: no item aside expires before `nextMs`, or before the next look. Caller: SkippingStage.
 */
export class AsideExpiry {
  /** Monotonic ms; may be too early after its item has gone. */
  private firstMs = Infinity;
  private lookedMs = -Infinity;

  constructor(
    private readonly flows: SkippedFlows<LaneItem>,
    private readonly clock: Clock,
  ) {}

  /** When to look again, monotonic ms; undefined while nothing is aside. */
  get nextMs(): number | undefined {
    if (this.flows.size === 0 || this.firstMs === Infinity) return undefined;
    return Math.max(this.firstMs, this.lookedMs + LOOK_EVERY_MS);
  }

  /** An item was put aside. */
  watch(item: LaneItem): void {
    this.firstMs = Math.min(this.firstMs, this.endOf(item));
  }

  /** Takes up to `room` items out whose time is over. */
  take(room: number, nowMs: number): LaneItem[] {
    if (room <= 0 || (this.nextMs ?? Infinity) > nowMs) return [];
    this.lookedMs = nowMs;
    const over = this.flows.takeWhere((item) => isOver(item, this.clock), room, nowMs);
    this.firstMs = Infinity;
    for (const { waiting } of this.flows.all()) for (const { item } of waiting) this.watch(item);
    return over;
  }

  private endOf(item: LaneItem): number {
    return this.clock.monotonic() + item.message.expiresAt - this.clock.now();
  }
}
