import { Client } from 'undici';

export interface ConnectionOptions {
  /** Scheme, host and port of the vendor. */
  readonly origin: string;
  /** An idle connection is closed by us after this, ms; shorter than the vendor's own idle time-out. */
  readonly keepAliveMs: number;
  /** If the vendor announces its idle time-out, we close at least this much earlier, ms. */
  readonly keepAliveMarginMs: number;
  /** Longest wait for TCP and TLS, ms. */
  readonly connectMs: number;
}

/**
 * One connection to a vendor, for one call at a time: an undici client that (re)connects when used. Its pool gives it out
 * and takes it back. `onIdleLoss` fires when the connection goes while nobody uses it.
 */
export class Connection {
  readonly client: Client;
  /** Monotonic ms of the last use. */
  usedAtMs = 0;
  busy = false;

  constructor(options: ConnectionOptions, onIdleLoss: (connection: Connection) => void) {
    this.client = new Client(options.origin, {
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: options.keepAliveMs,
      keepAliveMaxTimeout: options.keepAliveMs,
      keepAliveTimeoutThreshold: options.keepAliveMarginMs,
      connect: { timeout: options.connectMs },
      // the exchange has a deadline of its own; two timers for one thing would disagree
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.client.on('disconnect', () => {
      if (!this.busy) onIdleLoss(this);
    });
  }

  /** Closes at once; a call on it fails. */
  destroy(): void {
    this.client.destroy().catch(() => undefined); // it may be gone already
  }
}
