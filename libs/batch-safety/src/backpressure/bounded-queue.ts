import type { Clock } from '@commservice/contracts';
import { boundedQueueOptions, type BoundedQueueOptions } from './policy.js';
import { Turns } from './turns.js';

/** What became of an offered item. `full`: it was not taken; pause, and offer it again when the queue is low. */
export type OfferAnswer = { kind: 'queued' } | { kind: 'full' };

/** Everything that ever entered: `enqueued = taken + Σ dropped + depth` at all times. */
export interface QueueCounts {
  readonly enqueued: number;
  readonly taken: number;
  /** By reason. */
  readonly dropped: Readonly<Record<string, number>>;
  readonly depth: number;
}

interface Entry<T> {
  readonly item: T;
  readonly bytes: number;
  /** Monotonic ms. */
  readonly since: number;
}

const ONE_FLOW = (): string => '';

/**
 * First in, first out, bounded by items and bytes; with several flows they take turns, item by item. Policy `block`: a full queue refuses, the offerer pauses until `isBelowLow`.
 * States: OPEN → FULL at capacity (100 %) → OPEN again as items leave; low = at or below `lowWater` of both bounds.
 * Invariants: items ≤ capacity.items; bytes ≤ capacity.bytes + one item, so that an item of any size passes in the end;
 * `enqueued = taken + dropped + depth`. Everything is synchronous and, but for `dropWhere`, of constant cost.
 * Callers: lane consumers offer, slots take, rebalances drop.
 */
export class BoundedQueue<T> {
  private readonly options;
  private entries = new Turns<Entry<T>>();
  private bytes = 0;
  private enqueued = 0;
  private taken = 0;
  private readonly dropped: Record<string, number> = {};

  /**
   * Throws when the options break a rule, a missing policy among them: a fault of configuration.
   * @param flowOf which flow an item belongs to; default: all to one
   */
  constructor(
    options: BoundedQueueOptions,
    private readonly bytesOf: (item: T) => number,
    private readonly clock: Clock,
    private readonly flowOf: (item: T) => string = ONE_FLOW,
  ) {
    this.options = boundedQueueOptions.parse(options);
  }

  get depth(): number {
    return this.entries.length;
  }

  get depthBytes(): number {
    return this.bytes;
  }

  get isFull(): boolean {
    const { items, bytes } = this.options.capacity;
    return this.entries.length >= items || this.bytes >= bytes;
  }

  /** Whether both bounds are at or below low water: the offerer may resume. */
  get isBelowLow(): boolean {
    const { capacity, lowWater } = this.options;
    return this.entries.length <= capacity.items * lowWater && this.bytes <= capacity.bytes * lowWater;
  }

  offer(item: T): OfferAnswer {
    if (this.isFull) return { kind: 'full' };
    this.push(item);
    return { kind: 'queued' };
  }

  /**
   * Takes the items of one fetch whole, also past the bound: what is fetched cannot be handed back. The queue never
   * holds more than its capacity plus one such group, if the offerer pauses while `isFull`.
   */
  offerFetched(items: readonly T[]): void {
    for (const item of items) this.push(item);
  }

  peek(): T | undefined {
    return this.entries.peek()?.item;
  }

  shift(): T | undefined {
    const entry = this.entries.shift();
    if (!entry) return undefined;
    this.bytes -= entry.bytes;
    this.taken++;
    return entry.item;
  }

  /** Up to `max` items from the head. */
  take(max: number): T[] {
    const out: T[] = [];
    while (out.length < max && this.entries.length > 0) out.push(this.shift() as T);
    return out;
  }

  /** How long the oldest item has waited here, in ms; 0 when empty. */
  oldestAgeMs(): number {
    const now = this.clock.monotonic();
    let age = 0;
    for (const head of this.entries.heads()) age = Math.max(age, now - head.since);
    return age;
  }

  /** Drops everything; returns what was dropped. */
  dropAll(reason: string): T[] {
    return this.dropWhere(() => true, reason);
  }

  /** Drops what `matches` (a lost partition); the rest keeps its order. Cost grows with the depth. */
  dropWhere(matches: (item: T) => boolean, reason: string): T[] {
    const kept = new Turns<Entry<T>>();
    const out: T[] = [];
    for (let e = this.entries.shift(); e; e = this.entries.shift()) {
      if (!matches(e.item)) {
        kept.push(this.flowOf(e.item), e);
        continue;
      }
      this.bytes -= e.bytes;
      out.push(e.item);
    }
    this.entries = kept;
    if (out.length > 0) this.dropped[reason] = (this.dropped[reason] ?? 0) + out.length;
    return out;
  }

  counts(): QueueCounts {
    return { enqueued: this.enqueued, taken: this.taken, dropped: { ...this.dropped }, depth: this.depth };
  }

  private push(item: T): void {
    const bytes = this.bytesOf(item);
    this.entries.push(this.flowOf(item), { item, bytes, since: this.clock.monotonic() });
    this.bytes += bytes;
    this.enqueued++;
  }
}
