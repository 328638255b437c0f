import type { Clock } from '@commservice/contracts';
import type { Answer } from './answer.js';
import { ConnectionPool } from './connection-pool.js';
import { Exchange, type ExchangeLimits, type ExchangeRequest } from './exchange.js';
import { SpareKeeper } from './spare-keeper.js';
import { WarmKeeper } from './warm-keeper.js';

export interface HttpClientOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Most connections, each for one call at a time. Give at least as many as calls are in the air at once. */
  readonly connections: number;
  /** Connections kept warm. */
  readonly warmConnections: number;
  /** Path of the warming GET; any answer will do. */
  readonly warmPath: string;
  /** Idle time-out of a connection, ms; must be shorter than the vendor's. */
  readonly keepAliveMs: number;
  /** If the vendor announces its idle time-out, ours ends at least this much earlier, ms. */
  readonly keepAliveMarginMs: number;
  /** Longest wait for TCP and TLS, ms. */
  readonly connectMs: number;
  readonly clock: Clock;
}

export interface Exchanged {
  readonly answer: Answer;
  /** From the call to its end, ms. */
  readonly latencyMs: number;
}

const WARM_TIMEOUT_MS = 2_000;

/**
 * HTTP to one vendor for one (account, class). States: OPEN → DRAINING → CLOSED. OPEN: `send` makes one exchange, one
 * attempt on the wire, and never rejects. DRAINING: new sends end as `not-sent`; what is in the air may finish.
 */
export class HttpClient {
  private readonly pool: ConnectionPool;
  private readonly keeper: WarmKeeper;
  private readonly spare: SpareKeeper;
  private readonly inFlight = new Set<Exchange>();
  private readonly idleWaiters: (() => void)[] = [];
  private draining = false;

  constructor(private readonly options: HttpClientOptions) {
    this.pool = new ConnectionPool(options, options.connections, options.clock);
    const connections = Math.min(options.warmConnections, options.connections);
    const keeping = { connections, keepAliveMs: options.keepAliveMs };
    this.keeper = new WarmKeeper(this.pool, keeping, (staleAfterMs) => this.warmOne(staleAfterMs));
    this.spare = new SpareKeeper(this.pool, options.clock, () => this.openOne());
  }

  /** Opens the warm connections and keeps them so; resolves after the first round, successful or not (≤ 2 s). */
  warm(): Promise<void> {
    return this.draining ? Promise.resolve() : this.keeper.start();
  }

  /**
   * Whether a request made now leaves at once, on a connection that stands. True as well when none could be opened in time:
   * then the request itself is what tells why.
   */
  ready(): boolean {
    return this.draining || this.spare.ready();
  }

  /** One exchange. Never rejects. */
  async send(request: ExchangeRequest, limits: ExchangeLimits): Promise<Exchanged> {
    const { clock } = this.options;
    const startedMs = clock.monotonic();
    const answer = await this.exchange(request, limits);
    return { answer, latencyMs: clock.monotonic() - startedMs };
  }

  /** No new sends; waits for those in the air at most `deadlineMs`, cuts off the rest, closes. */
  async drain(deadlineMs: number): Promise<void> {
    this.draining = true;
    this.keeper.stop();
    if (this.inFlight.size > 0) {
      const timer = setTimeout(() => this.cutAll(), deadlineMs);
      await new Promise<void>((resolve) => this.idleWaiters.push(resolve));
      clearTimeout(timer);
    }
    this.pool.close();
  }

  private exchange(request: ExchangeRequest, limits: ExchangeLimits): Promise<Answer> {
    if (this.draining) return Promise.resolve({ kind: 'not-sent', code: 'draining' });
    return new Promise((resolve) => {
      const exchange = new Exchange(this.pool, this.options.clock, request, limits, (answer) => {
        this.inFlight.delete(exchange);
        resolve(answer);
        if (this.inFlight.size === 0) for (const wake of this.idleWaiters.splice(0)) wake();
      });
      this.inFlight.add(exchange);
      exchange.start();
      this.spare.look();
    });
  }

  private openOne(): Promise<boolean> {
    return this.warmOne(Infinity);
  }

  /** Resolves with whether the connection stands and is kept. */
  private warmOne(staleAfterMs: number): Promise<boolean> {
    const request: ExchangeRequest = { method: 'GET', path: this.options.warmPath, headers: {} };
    const signal = new AbortController().signal;
    const limits = { signal, timeoutMs: WARM_TIMEOUT_MS, notAfterEpochMs: Infinity };
    return new Promise((resolve) => {
      const exchange = new Exchange(this.pool, this.options.clock, request, limits, () =>
        resolve(exchange.keptConnection),
      );
      exchange.start((take) => this.pool.leaseStale(staleAfterMs, take));
    });
  }

  private cutAll(): void {
    for (const exchange of [...this.inFlight]) exchange.cut('draining');
  }
}
