import type { Clock } from '@commservice/contracts';
import { Connection, type ConnectionOptions } from './connection.js';

/** Takes the connection a waiter was promised. */
export type Waiter = (connection: Connection) => void;

export type Lease =
  | { readonly kind: 'given' }
  /** All connections are busy; `cancel` gives up the place in the queue. */
  | { readonly kind: 'waiting'; readonly cancel: () => void }
  | { readonly kind: 'refused' };

/**
 * The connections of one (account, class): no other class shares them. Callers: `Exchange`, `WarmKeeper` and `SpareKeeper`.
 *
 * A connection is busy (given to one call) or idle (connected, newest use last, so that the warm ones stay in use).
 * Invariants: busy + idle ≤ `limit`; one call per connection; at most one and a half times `limit` calls wait,
 * in order, and more are refused;
 * a connection whose call was cut off is destroyed, never given out again. A call that hangs holds its own connection
 * only: with a limit of at least the calls in flight, none waits for it.
 */
export class ConnectionPool {
  private readonly idle: Connection[] = [];
  private readonly busy = new Set<Connection>();
  private waiting: Waiter[] = [];
  private closed = false;

  constructor(
    private readonly options: ConnectionOptions,
    private readonly limit: number,
    private readonly clock: Clock,
  ) {}

  /** Calls `take` with a connection: at once if one is free, else in order of arrival. */
  lease(take: Waiter): Lease {
    if (this.closed) return { kind: 'refused' };
    const connection = this.newestIdle() ?? this.open();
    if (connection) {
      this.give(connection, take);
      return { kind: 'given' };
    }
    if (this.waiting.length >= Math.floor(1.5 * this.limit)) return { kind: 'refused' };
    this.waiting.push(take);
    return { kind: 'waiting', cancel: () => (this.waiting = this.waiting.filter((w) => w !== take)) };
  }

  /** The idle connection that was not used for longest, if it was not used for `ageMs`, else a new one if there is room. */
  leaseStale(ageMs: number, take: Waiter): Lease {
    if (this.closed) return { kind: 'refused' };
    const oldest = this.idle[0];
    const stale = oldest && this.clock.monotonic() - oldest.usedAtMs >= ageMs ? this.idle.shift() : undefined;
    const connection = stale ?? this.open();
    if (!connection) return { kind: 'refused' };
    this.give(connection, take);
    return { kind: 'given' };
  }

  /** Connections busy, or idle and used within `ageMs`. */
  fresh(ageMs: number): number {
    const now = this.clock.monotonic();
    return this.busy.size + this.idle.filter((c) => now - c.usedAtMs < ageMs).length;
  }

  /** Connections that stand and wait for a call. */
  get idleCount(): number {
    return this.idle.length;
  }

  /** Whether a connection stands idle whose time is not over: the newest decides. */
  hasIdle(nowMs: number): boolean {
    const newest = this.idle.at(-1);
    return newest !== undefined && !newest.isStale(nowMs);
  }

  /** How long connections may be idle, as far as the vendor told, ms. */
  get idleMs(): number {
    return this.idle.at(-1)?.idleMs ?? this.options.keepAliveMs;
  }

  /** Whether a connection may be opened that no call asks for yet. */
  get hasSpareRoom(): boolean {
    return !this.closed && this.size < this.limit / 2;
  }

  /** Connections that exist. */
  get size(): number {
    return this.busy.size + this.idle.length;
  }

  /** Takes a connection back. `reusable`: its call ended and the connection still stands. */
  release(connection: Connection, reusable: boolean): void {
    if (!this.busy.delete(connection)) return;
    connection.busy = false;
    connection.usedAtMs = this.clock.monotonic();
    if (this.closed || !reusable) connection.destroy();
    else this.idle.push(connection);
    const next = this.waiting.shift();
    if (next) this.lease(next);
  }

  /** Refuses new calls and closes what is idle; busy connections close when their calls end. */
  close(): void {
    this.closed = true;
    this.waiting = [];
    for (const connection of this.idle.splice(0)) connection.destroy();
  }

  /** The idle connection used last; those whose idle time is over go. */
  private newestIdle(): Connection | undefined {
    const nowMs = this.clock.monotonic();
    for (let last = this.idle.pop(); last; last = this.idle.pop()) {
      if (!last.isStale(nowMs)) return last;
      last.destroy();
    }
    return undefined;
  }

  private open(): Connection | undefined {
    if (this.size >= this.limit) return undefined;
    return new Connection(this.options, (lost) => this.forget(lost));
  }

  private give(connection: Connection, take: Waiter): void {
    connection.busy = true;
    this.busy.add(connection);
    take(connection);
  }

  private forget(lost: Connection): void {
    const at = this.idle.indexOf(lost);
    if (at < 0) return;
    this.idle.splice(at, 1);
    lost.destroy();
  }
}
