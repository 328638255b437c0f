import { OffsetTracker } from './offset-tracker.js';

/** A partition's offset to commit. */
export interface CommitPoint {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

interface Owned {
  readonly tracker: OffsetTracker;
  committed: number | undefined;
  /** First offset that no other pod can have had; Infinity until it is known. */
  freshFrom: number;
  /** End of the partition when it was last fetched. */
  end: number | undefined;
}

/**
 * What one member owns and how far each partition is done. Pure; called by LaneConsumer only.
 *
 * Trackers outlive a rebalance, so that a record still in the air, or settled but not committed, is recognised when the
 * partition comes back. Commit points are given for owned partitions only.
 */
export class PartitionLedger {
  private readonly trackers = new Map<string, OffsetTracker>();
  private owned = new Map<string, Map<number, Owned>>();

  /** A new generation: these partitions are ours, everything registered is fetched again. */
  assign(assignment: Readonly<Record<string, readonly number[]>>): void {
    this.owned = new Map(
      Object.entries(assignment).map(([topic, partitions]) => [
        topic,
        new Map(
          partitions.map((partition) => {
            const tracker = this.tracker(topic, partition);
            tracker.restart();
            return [partition, { tracker, committed: undefined, freshFrom: Infinity, end: undefined }];
          }),
        ),
      ]),
    );
  }

  /** Nothing is owned: the member left or crashed. */
  clear(): void {
    this.owned.clear();
  }

  owns(topic: string, partition: number): boolean {
    return this.owned.get(topic)?.has(partition) ?? false;
  }

  /** What is owned, by topic. */
  get assignment(): Record<string, number[]> {
    return Object.fromEntries([...this.owned].map(([topic, partitions]) => [topic, [...partitions.keys()]]));
  }

  /** Number of partitions owned of a topic. */
  ownedOf(topic: string): number {
    return this.owned.get(topic)?.size ?? 0;
  }

  /** A fetch told where the partition ends. */
  setEnd(topic: string, partition: number, end: number): void {
    const entry = this.owned.get(topic)?.get(partition);
    if (entry) entry.end = end;
  }

  /** Records of a topic behind its end that the watermark has not passed, over the partitions owned. */
  lag(topic: string): number {
    let lag = 0;
    for (const { end, tracker } of this.owned.get(topic)?.values() ?? []) {
      if (end !== undefined && tracker.committable !== undefined)
        lag += Math.max(0, end - tracker.committable);
    }
    return lag;
  }

  /** The end of a partition at assignment: records from there on are fresh. */
  setFreshFrom(topic: string, partition: number, offset: number): void {
    const entry = this.owned.get(topic)?.get(partition);
    if (entry) entry.freshFrom = offset;
  }

  /** Ownership may have lapsed: nothing is fresh until the next assignment. */
  forgetFresh(): void {
    for (const partitions of this.owned.values())
      for (const entry of partitions.values()) entry.freshFrom = Infinity;
  }

  freshFrom(topic: string, partition: number): number {
    return this.owned.get(topic)?.get(partition)?.freshFrom ?? Infinity;
  }

  tracker(topic: string, partition: number): OffsetTracker {
    const name = `${topic}|${partition}`;
    let tracker = this.trackers.get(name);
    if (!tracker) this.trackers.set(name, (tracker = new OffsetTracker()));
    return tracker;
  }

  settle(topic: string, partition: number, offset: number): void {
    this.tracker(topic, partition).settle(offset);
  }

  /** Owned partitions whose watermark has moved since the last commit. */
  commitPoints(): CommitPoint[] {
    const points: CommitPoint[] = [];
    for (const [topic, partitions] of this.owned) {
      for (const [partition, { tracker, committed }] of partitions) {
        const offset = tracker.committable;
        if (offset !== undefined && offset !== committed) points.push({ topic, partition, offset });
      }
    }
    return points;
  }

  /** These points are on the broker. Ignored for partitions that were given up meanwhile. */
  committed(points: readonly CommitPoint[]): void {
    for (const { topic, partition, offset } of points) {
      const entry = this.owned.get(topic)?.get(partition);
      if (entry) entry.committed = offset;
    }
  }

  /** Records fetched and not settled, over owned partitions. */
  get openCount(): number {
    let open = 0;
    for (const partitions of this.owned.values())
      for (const { tracker } of partitions.values()) open += tracker.openCount;
    return open;
  }
}
