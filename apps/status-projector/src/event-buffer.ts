import { BoundedQueue } from '@commservice/batch-safety';
import { systemClock, type Clock } from '@commservice/contracts';
import type { FetchedRecord, RecordSink } from '@commservice/kafka';

export interface EventBufferOptions {
  /** Waiting events at which the consumer pauses; from half of it on `onDrained` is called. */
  readonly highWater: number;
  /** The same for bytes. Default 16 MiB. */
  readonly highWaterBytes?: number;
  /** The buffer was full and has room again. */
  readonly onDrained: () => void;
  readonly clock?: Clock;
}

/**
 * Events between the fetch loop and the writer of one class, first in first out. OPEN ⇄ FULL by two water marks, counted
 * in events and bytes. Bound: high water plus one fetch. There is no linger: a waiting writer is woken by the first event.
 */
export class EventBuffer implements RecordSink {
  private readonly queue: BoundedQueue<FetchedRecord>;
  private full = false;
  private wake: (() => void) | undefined;

  constructor(private readonly options: EventBufferOptions) {
    const { highWater, highWaterBytes = 16 * 1024 * 1024, clock = systemClock } = options;
    const capacity = { items: highWater, bytes: highWaterBytes };
    this.queue = new BoundedQueue({ capacity, onFull: 'block', lowWater: 0.5 }, (r) => r.bytes, clock);
  }

  get size(): number {
    return this.queue.depth;
  }

  offer(records: readonly FetchedRecord[]): void {
    this.queue.offerFetched(records);
    this.full ||= this.queue.isFull;
    this.wake?.();
  }

  isFull(): boolean {
    return this.full;
  }

  dropAll(): void {
    this.queue.dropAll('generation');
    this.full = false;
  }

  /** The oldest events, at most `max`; empty when there are none. */
  take(max: number): FetchedRecord[] {
    const taken = this.queue.take(max);
    if (this.full && this.queue.isBelowLow) {
      this.full = false;
      this.options.onDrained();
    }
    return taken;
  }

  /** Resolves when there is something to take, or `signal` aborts. */
  async ready(signal: AbortSignal): Promise<void> {
    if (this.size > 0 || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.wake = undefined;
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.wake = done;
      signal.addEventListener('abort', done, { once: true });
    });
  }
}
