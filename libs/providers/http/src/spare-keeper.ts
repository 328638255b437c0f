import type { Clock } from '@commservice/contracts';
import type { ConnectionPool } from './connection-pool.js';

/** Opened at the same time, most: opening costs the processor what calls need. */
const MOST_OPENING = 4;
/** So long a call waits for a connection opened ahead; then it connects itself, as it is what tells what is wrong. */
const PATIENCE_MS = 250;
/** After a connection could not be opened, calls connect themselves for so long. */
const FAILED_MS = 1_000;

/**
 * Opens connections before calls need them, so that a call leaves in the moment its token is for. Between two looks the
 * pool has one idle connection, and one more for every two calls in the air; READY while it has any idle one. Not ready, it
 * waits at most `PATIENCE_MS`; while the vendor cannot be reached it says READY, or nobody would ever find out. Half of the
 * pool is left to calls: there it says READY too.
 * Caller: `HttpClient`.
 */
export class SpareKeeper {
  private opening = 0;
  private missingSinceMs: number | undefined;
  private failedAtMs = -Infinity;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly clock: Clock,
    /** Opens one connection; resolves with whether it stands. */
    private readonly open: () => Promise<boolean>,
  ) {}

  /** Whether a call made now leaves at once, or shall connect itself. */
  ready(): boolean {
    if (this.pool.idleCount > 0) {
      this.missingSinceMs = undefined;
      return true;
    }
    this.look();
    const nowMs = this.clock.monotonic();
    this.missingSinceMs ??= nowMs;
    return !this.pool.hasSpareRoom || nowMs - this.missingSinceMs >= PATIENCE_MS || this.failing(nowMs);
  }

  /** Opens what is missing; after every call that took a connection. */
  look(): void {
    const { pool } = this;
    if (this.failing(this.clock.monotonic())) return;
    const inTheAir = Math.max(0, pool.size - pool.idleCount - this.opening);
    const wanted = 1 + Math.floor(inTheAir / 2);
    while (pool.idleCount + this.opening < wanted && this.opening < MOST_OPENING && pool.hasSpareRoom)
      void this.openOne();
  }

  private failing(nowMs: number): boolean {
    return nowMs - this.failedAtMs < FAILED_MS;
  }

  private async openOne(): Promise<void> {
    this.opening++;
    const stands = await this.open();
    this.opening--;
    if (!stands) this.failedAtMs = this.clock.monotonic();
  }
}
