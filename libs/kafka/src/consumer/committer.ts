import type { CommitPoint, PartitionLedger } from './partition-ledger.js';

/**
 * Sends the done-watermark on a timer, one commit at a time. The generation is checked by the ledger: after a rebalance it
 * knows only the partitions of the new one. Called by LaneConsumer only.
 */
export class Committer {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly ledger: PartitionLedger,
    private readonly everyMs: number,
    /** Resolves true when the broker took the points; never rejects. */
    private readonly send: (points: readonly CommitPoint[]) => Promise<boolean>,
  ) {}

  start(): void {
    this.timer ??= setInterval(() => void this.flush(), this.everyMs).unref();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Commits what is done and not committed; waits for a commit already under way. */
  flush(): Promise<void> {
    this.running = this.running.then(async () => {
      const points = this.ledger.commitPoints();
      if (points.length > 0 && (await this.send(points))) this.ledger.committed(points);
    });
    return this.running;
  }
}
