import type { Clock } from '@commservice/contracts';
import type { ConnectionPool } from './connection-pool.js';

/** Opened at the same time, most; beyond it calls connect themselves. */
const MOST_OPENING = 16;
/** So long a call waits for a connection opened ahead; then it connects itself, as it is what tells what is wrong. */
const PATIENCE_MS = 50;
/** After a connection could not be opened, or kept, calls connect themselves for so long. */
const FAILED_MS = 1_000;

/**
 * Opens connections before calls need them, so that a call leaves in the moment its token is for. One is to stand idle, and
 * one more for every call in the air: what is in the air may double with each handshake. READY while any stands idle. Not
 * ready, a call waits at most `PATIENCE_MS`; while the vendor cannot be reached, or keeps no connection, it is READY, or
 * nobody would ever find out. Half of the pool is left to calls: there it is READY too. Caller: `HttpClient`.
 */
export class SpareKeeper {
  private opening = 0;
  private missingSinceMs: number | undefined;
  private failedAtMs = -Infinity;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly clock: Clock,
    /** Opens one connection; resolves with whether it stands and is kept. */
    private readonly open: () => Promise<boolean>,
  ) {}

  /** Whether a call made now leaves at once, or shall connect itself. */
  ready(): boolean {
    const nowMs = this.clock.monotonic();
    this.look();
    if (this.pool.hasIdle(nowMs)) return true;
    this.missingSinceMs ??= nowMs;
    if (!this.pool.hasSpareRoom || this.opening >= MOST_OPENING) return true;
    return nowMs - this.missingSinceMs >= PATIENCE_MS || this.failing(nowMs);
  }

  /** Opens what is missing; after every call that took a connection. */
  look(): void {
    const { pool } = this;
    const nowMs = this.clock.monotonic();
    if (pool.hasIdle(nowMs)) this.missingSinceMs = undefined;
    if (this.failing(nowMs)) return;
    const inTheAir = Math.max(0, pool.size - pool.idleCount - this.opening);
    const wanted = 1 + inTheAir;
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
