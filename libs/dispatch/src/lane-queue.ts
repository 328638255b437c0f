import type { BoundedQueue } from '@commservice/batch-safety';
import type { Clock } from '@commservice/contracts';
import type { FetchedRecord, RecordSink } from '@commservice/kafka';

/** A fetched record and when it may first be sent. */
export interface Waiting {
  readonly record: FetchedRecord;
  /** Monotonic ms: when it was fetched, or when its retry tier lets it go. */
  readonly dueAt: number;
}

/** One topic of a lane: the main one (`delayMs` 0), or a retry tier. */
export interface LaneSource {
  readonly topic: string;
  readonly delayMs: number;
  readonly queue: BoundedQueue<Waiting>;
}

/** What a lane's queue tells its lane. */
export interface LaneQueueEvents {
  /** Something arrived. */
  readonly onOffer: () => void;
  /** A topic's queue fell below low water: fetch again. */
  readonly onDrained: (topic: string) => void;
  /** The generation changed: forget what was taken and not yet sent, too. */
  readonly onDropped: () => void;
}

/**
 * What waits for a lane's slots: one bounded queue per topic, so that a long retry tier cannot fill the room of a short one.
 * The consumer offers, the worker takes; within a topic first in, first out, which in a retry tier is due order.
 */
export class LaneQueue implements RecordSink {
  private readonly byTopic: ReadonlyMap<string, LaneSource>;
  private front: Waiting | undefined;

  constructor(
    private readonly sources: readonly LaneSource[],
    private readonly clock: Clock,
    private readonly events: LaneQueueEvents,
  ) {
    this.byTopic = new Map(sources.map((s) => [s.topic, s]));
  }

  offer(records: readonly FetchedRecord[]): void {
    const now = this.clock.monotonic();
    const wallToMonotonic = now - this.clock.now();
    const source = this.byTopic.get(records[0]?.topic ?? '');
    if (!source) return;
    // a timestamp of the future is a clock that was wrong: nothing waits longer than its tier
    const dueAt = ({ timestamp }: FetchedRecord): number =>
      source.delayMs === 0 ? now : Math.min(timestamp + wallToMonotonic, now) + source.delayMs;
    source.queue.offerFetched(records.map((record) => ({ record, dueAt: dueAt(record) })));
    this.events.onOffer();
  }

  isFull(topic: string): boolean {
    return this.byTopic.get(topic)?.queue.isFull ?? false;
  }

  dropAll(): void {
    this.front = undefined;
    for (const { queue } of this.sources) queue.dropAll('generation');
    this.events.onDropped();
  }

  /** Puts a record back in front of everything: it cannot be handled now. */
  putBack(waiting: Waiting): void {
    this.front = waiting;
  }

  /** Takes the next record that is due, or undefined. */
  take(now: number): Waiting | undefined {
    if (this.front) {
      const front = this.front;
      this.front = undefined;
      return front;
    }
    for (const { topic, queue } of this.sources) {
      const head = queue.peek();
      if (!head || head.dueAt > now) continue;
      queue.shift();
      if (queue.isBelowLow) this.events.onDrained(topic);
      return head;
    }
    return undefined;
  }

  /** Records waiting, due or not. */
  get depth(): number {
    return this.sources.reduce((sum, { queue }) => sum + queue.depth, 0);
  }

  get bytes(): number {
    return this.sources.reduce((sum, { queue }) => sum + queue.depthBytes, 0);
  }

  /** Records that are due; of a retry tier whose head is due, all are counted: FIFO, they follow soon. */
  dueDepth(now: number): number {
    return this.sources.reduce((sum, { queue }) => {
      const head = queue.peek();
      return head && head.dueAt <= now ? sum + queue.depth : sum;
    }, 0);
  }

  /** When the next record falls due (monotonic ms), or undefined when nothing waits. */
  nextDueAt(): number | undefined {
    let next: number | undefined;
    for (const { queue } of this.sources) {
      const head = queue.peek();
      if (head && (next === undefined || head.dueAt < next)) next = head.dueAt;
    }
    return next;
  }
}
