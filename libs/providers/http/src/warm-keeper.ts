import type { ConnectionPool } from './connection-pool.js';

export interface WarmOptions {
  /** Connections kept open and used, so that a first call pays no handshake. */
  readonly connections: number;
  /** Idle time-out of a connection, ms; the vendor may tell a shorter one. */
  readonly keepAliveMs: number;
}

/** A vendor that keeps connections for less is warmed no more often, ms. */
const SHORTEST_IDLE_MS = 1_000;

/**
 * Keeps some connections of a pool warm by a small GET on each before it would be closed for idleness. Caller:
 * `HttpClient`. Its timer keeps no process alive; a failed GET is no fault of anyone's message and is dropped.
 */
export class WarmKeeper {
  private timer?: NodeJS.Timeout;
  private running = false;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly options: WarmOptions,
    /** Makes one warming exchange on the stalest connection; resolves when it is over. */
    private readonly exchange: (staleAfterMs: number) => Promise<unknown>,
  ) {}

  /** Warms now, and from now on; resolves when the first round is over. */
  async start(): Promise<void> {
    if (this.options.connections === 0) return;
    this.running = true;
    await this.round(this.options.connections);
    this.later();
  }

  stop(): void {
    this.running = false;
    clearTimeout(this.timer);
  }

  /** A connection is used again after half of its idle time; by halves, so that a call never finds all of them in use. */
  private later(): void {
    if (!this.running) return;
    const most = Math.ceil(this.options.connections / 2);
    this.timer = setTimeout(() => void this.round(most).then(() => this.later()), this.idleMs / 4).unref();
  }

  private get idleMs(): number {
    return Math.max(this.pool.idleMs, Math.min(SHORTEST_IDLE_MS, this.options.keepAliveMs));
  }

  private async round(most: number): Promise<void> {
    const staleAfterMs = this.idleMs / 2;
    const missing = this.options.connections - this.pool.fresh(staleAfterMs);
    const count = Math.max(0, Math.min(missing, most));
    await Promise.all(Array.from({ length: count }, () => this.exchange(staleAfterMs)));
  }
}
