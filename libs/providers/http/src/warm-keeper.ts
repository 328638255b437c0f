import type { ConnectionPool } from './connection-pool.js';

export interface WarmOptions {
  /** Connections kept open and used, so that a first call pays no handshake. */
  readonly connections: number;
  /** The pool's idle time-out, ms; a connection is used again after half of it. */
  readonly keepAliveMs: number;
}

/**
 * Keeps some connections of a pool warm by a small GET on each before it would be closed for idleness. Caller:
 * `HttpClient`. Its timer keeps no process alive; a failed GET is no fault of anyone's message and is dropped.
 */
export class WarmKeeper {
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly options: WarmOptions,
    /** Makes one warming exchange on the stalest connection; resolves when it is over. */
    private readonly exchange: (staleAfterMs: number) => Promise<unknown>,
  ) {}

  /** Warms now, and from now on; resolves when the first round is over. */
  async start(): Promise<void> {
    if (this.options.connections === 0) return;
    this.timer ??= setInterval(() => void this.round(), this.options.keepAliveMs / 4).unref();
    await this.round();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async round(): Promise<void> {
    const staleAfterMs = this.options.keepAliveMs / 2;
    const missing = this.options.connections - this.pool.fresh(staleAfterMs);
    await Promise.all(Array.from({ length: Math.max(0, missing) }, () => this.exchange(staleAfterMs)));
  }
}
