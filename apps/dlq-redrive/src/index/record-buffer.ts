import { BoundedQueue } from '@commservice/batch-safety';
import { systemClock } from '@commservice/contracts';
import type { FetchedRecord, RecordSink } from '@commservice/kafka';

const CAPACITY = { items: 2_000, bytes: 32 * 1024 * 1024 };

/**
 * Dead letters between the fetch loop and the index writer. OPEN ⇄ FULL by two water marks. Bound: capacity plus one fetch.
 */
export class RecordBuffer implements RecordSink {
  private readonly queue = new BoundedQueue<FetchedRecord>(
    { capacity: CAPACITY, onFull: 'block', lowWater: 0.5 },
    (record) => record.bytes,
    systemClock,
  );
  private full = false;
  private wake: (() => void) | undefined;

  /** @param onDrained the buffer was full and has room again */
  constructor(private readonly onDrained: () => void) {}

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

  /** The oldest records, at most `max`. */
  take(max: number): FetchedRecord[] {
    const taken = this.queue.take(max);
    if (this.full && this.queue.isBelowLow) {
      this.full = false;
      this.onDrained();
    }
    return taken;
  }

  /** Resolves when there is something to take, or `signal` aborts. */
  async ready(signal: AbortSignal): Promise<void> {
    if (this.queue.depth > 0 || signal.aborted) return;
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
