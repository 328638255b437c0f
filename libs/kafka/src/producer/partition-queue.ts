import type { OutgoingRecord, ProduceResult } from '../record.js';

/** One record on its way, with its caller waiting. */
export interface Pending {
  readonly record: OutgoingRecord & { readonly partition: number };
  readonly bytes: number;
  /** When it was produced by the producer's clock: a retry tier counts from it. Epoch ms. */
  readonly atEpochMs: number;
  /** Monotonic ms after which it must not leave any more. */
  readonly expiresAt: number;
  /** Whether an attempt's answer was lost. */
  ambiguous: boolean;
  settled: boolean;
  readonly settle: (result: ProduceResult) => void;
}

/** What waits for one topic-partition: FIFO, at most one batch of it in the air. */
export class PartitionQueue {
  private readonly waiting: Pending[] = [];
  sending = false;
  private lingering: NodeJS.Timeout | undefined;

  constructor(
    readonly topic: string,
    readonly partition: number,
  ) {}

  get size(): number {
    return this.waiting.length;
  }

  /** Calls `send` after `ms`, once for all that asks meanwhile; a send in between takes everything along. */
  linger(ms: number, send: () => void): void {
    this.lingering ??= setTimeout(() => {
      this.lingering = undefined;
      send();
    }, ms);
  }

  push(pending: Pending): void {
    this.waiting.push(pending);
  }

  /** Puts a batch back in front, in its order: it is tried again. */
  unshift(batch: readonly Pending[]): void {
    this.waiting.unshift(...batch);
  }

  /** Takes the next batch, in order, within both limits; at least one record. */
  takeBatch(maxRecords: number, maxBytes: number): Pending[] {
    let bytes = 0;
    let n = 0;
    while (n < this.waiting.length && n < maxRecords) {
      const next = this.waiting[n] as Pending;
      if (n > 0 && bytes + next.bytes > maxBytes) break;
      bytes += next.bytes;
      n++;
    }
    return this.waiting.splice(0, n);
  }

  /** Removes and returns what may not leave any more. */
  removeExpired(nowMs: number): Pending[] {
    const expired = this.waiting.filter((p) => p.expiresAt <= nowMs);
    if (expired.length > 0) {
      const kept = this.waiting.filter((p) => p.expiresAt > nowMs);
      this.waiting.splice(0, this.waiting.length, ...kept);
    }
    return expired;
  }
}
