import type { Clock } from '@commservice/contracts';
import type { Timers } from '../ports.js';

interface Event {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
  cancelled: boolean;
}

/** Lets promise chains that are ready run to their end. */
async function settle(): Promise<void> {
  for (let i = 0; i < 12; i++) await Promise.resolve();
}

/** Time that moves only when told to: clock, timers and randomness of a model. */
export class VirtualTime implements Clock, Timers {
  private heap: Event[] = [];
  private order = 0;
  private atMs = 1000;

  /** @param lateMs how late a timer fires, as a real one does */
  constructor(private readonly lateMs: () => number = () => 0) {}

  now(): number {
    return 1_700_000_000_000 + this.atMs;
  }

  monotonic(): number {
    return this.atMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    return this.exactly(delayMs + this.lateMs(), callback);
  }

  /** Like `after`, never late: for what the model itself does. */
  exactly(delayMs: number, run: () => void): () => void {
    const event: Event = {
      atMs: this.atMs + Math.max(0, delayMs),
      order: this.order++,
      run,
      cancelled: false,
    };
    this.push(event);
    return () => {
      event.cancelled = true;
    };
  }

  /** Runs everything that is due within the next `ms`. */
  async run(ms: number): Promise<void> {
    const end = this.atMs + ms;
    await settle();
    for (let next = this.heap[0]; next && next.atMs <= end; next = this.heap[0]) {
      this.pop();
      if (next.cancelled) continue;
      this.atMs = next.atMs;
      next.run();
      await settle();
    }
    this.atMs = end;
  }

  private before(a: Event, b: Event): boolean {
    return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
  }

  private push(event: Event): void {
    const h = this.heap;
    let i = h.push(event) - 1;
    while (i > 0) {
      const up = (i - 1) >> 1;
      if (!this.before(h[i] as Event, h[up] as Event)) break;
      [h[i], h[up]] = [h[up] as Event, h[i] as Event];
      i = up;
    }
  }

  private pop(): void {
    const h = this.heap;
    const last = h.pop() as Event;
    if (h.length === 0) return;
    h[0] = last;
    for (let i = 0; ;) {
      const [l, r] = [2 * i + 1, 2 * i + 2];
      let least = i;
      if (l < h.length && this.before(h[l] as Event, h[least] as Event)) least = l;
      if (r < h.length && this.before(h[r] as Event, h[least] as Event)) least = r;
      if (least === i) return;
      [h[i], h[least]] = [h[least] as Event, h[i] as Event];
      i = least;
    }
  }
}

/** A seeded generator of numbers in [0, 1): mulberry32. */
export function seeded(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
