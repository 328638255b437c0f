import type { Consumer } from 'kafkajs';
import type { LaneConsumerOptions } from './lane-consumer-options.js';
import type { CommitPoint, PartitionLedger } from './partition-ledger.js';

/**
 * Sends the done-watermark on a timer, one commit at a time. The generation is checked by the ledger: after a rebalance it
 * knows only the partitions of the new one. Called by LaneConsumer only.
 */
export class Committer {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: Pick<LaneConsumerOptions, 'group' | 'logger' | 'timing' | 'onCommitError'>,
    private readonly ledger: PartitionLedger,
    /** The member whose generation commits. */
    private readonly consumer: () => Consumer | undefined,
  ) {}

  start(): void {
    this.timer ??= setInterval(() => void this.flush(), this.options.timing.commitEveryMs).unref();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Commits what is done and not committed; waits for a commit already under way. */
  flush(): Promise<void> {
    this.running = this.running.then(async () => {
      const points = this.ledger.commitPoints();
      if (points.length > 0 && (await this.commit(points))) this.ledger.committed(points);
    });
    return this.running;
  }

  /** Commits these points, as far as they are of owned partitions; true when the broker took them. Never rejects. */
  async commit(points: readonly CommitPoint[]): Promise<boolean> {
    const consumer = this.consumer();
    const owned = points.filter((p) => this.ledger.owns(p.topic, p.partition));
    if (!consumer || owned.length === 0) return false;
    try {
      await consumer.commitOffsets(owned.map((p) => ({ ...p, offset: String(p.offset) })));
      return true;
    } catch (error) {
      const { group, logger, onCommitError } = this.options;
      onCommitError?.();
      logger.debug({ group, error: String(error) }, 'a commit was refused; it is repeated');
      return false;
    }
  }
}
