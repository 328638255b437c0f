import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Clock } from '@commservice/contracts';
import { connectCode, type Answer, type WireCode } from './answer.js';
import type { Connection, ConnectionRequest } from './connection.js';
import type { ConnectionPool, Lease, Waiter } from './connection-pool.js';

/** An answer larger than this is not read. */
export const MAX_ANSWER_BYTES = 64 * 1024;

export type ExchangeRequest = ConnectionRequest;

export interface ExchangeLimits {
  readonly signal: AbortSignal;
  /** Longest wait for the whole exchange, a connection included, ms. */
  readonly timeoutMs: number;
  /** Epoch ms from which on the request must not leave any more. */
  readonly notAfterEpochMs: number;
}

/**
 * One HTTP exchange. States: WAITING (no connection) → CONNECTING → SENT → ANSWERING → SETTLED; any → SETTLED.
 * It settles exactly once, by the answer, an error, the deadline, the signal or `cut`. Until SENT it can end only as
 * `not-sent`, from SENT on never so. Nothing is written twice, and redirects are not followed.
 * Caller: `HttpClient`.
 */
export class Exchange {
  private connection?: Connection;
  private call?: ClientRequest;
  /** Whether its connection stands and was given back. */
  keptConnection = false;
  private leaveQueue?: () => void;
  private sent = false;
  private settled = false;
  private status = 0;
  private retryAfter?: string;
  private readonly chunks: Buffer[] = [];
  private size = 0;
  private timer?: NodeJS.Timeout;
  private readonly onAbort = () => this.cut('aborted');

  constructor(
    private readonly pool: ConnectionPool,
    private readonly clock: Clock,
    private readonly request: ExchangeRequest,
    private readonly limits: ExchangeLimits,
    private readonly done: (answer: Answer) => void,
  ) {}

  /** Starts it; `lease` says where its connection comes from. */
  start(lease: (take: Waiter) => Lease = (take) => this.pool.lease(take)): void {
    const { signal, timeoutMs } = this.limits;
    if (signal.aborted) return this.settle({ kind: 'not-sent', code: 'aborted' }, false);
    signal.addEventListener('abort', this.onAbort, { once: true });
    // One turn later: an answer that came while this process was busy is read before the deadline counts.
    this.timer = setTimeout(() => setImmediate(() => this.timeOut()), timeoutMs);
    const got = lease((connection) => this.use(connection));
    if (got.kind === 'refused') this.settle({ kind: 'not-sent', code: 'no_connection' }, false);
    if (got.kind === 'waiting') this.leaveQueue = got.cancel;
  }

  /** Ends it now: `not-sent` before the first byte left, else `lost` (or what the status already says). */
  cut(code: WireCode): void {
    if (this.settled) return;
    this.settle(this.endedBy(code), false);
  }

  /** While connecting it is the vendor that does not answer; while waiting for a connection it is we who have none. */
  private timeOut(): void {
    this.cut(this.connection && !this.sent ? 'connect_timeout' : 'timeout');
  }

  private use(connection: Connection): void {
    this.leaveQueue = undefined;
    this.connection = connection;
    try {
      this.call = connection.begin(this.request, () => this.leaves());
    } catch (error) {
      return this.settle({ kind: 'not-sent', code: connectCode(error) }, false);
    }
    this.call.once('response', (response) => this.read(response));
    this.call.once('upgrade', (_response, socket) => {
      socket.destroy();
      this.cut('connection_lost');
    });
    // for good: what is cut off may fail once more
    this.call.on('error', (error) => this.failed(error));
  }

  /** The moment before the first byte. */
  private leaves(): boolean {
    if (!this.settled && this.clock.now() >= this.limits.notAfterEpochMs) this.cut('expired');
    if (this.settled) return false;
    this.sent = true;
    return true;
  }

  private read(response: IncomingMessage): void {
    this.status = response.statusCode ?? 0;
    this.retryAfter = response.headers['retry-after'];
    response.on('data', (chunk: Buffer) => this.take(chunk));
    response.once('end', () => {
      const { status, retryAfter } = this;
      const answer = { kind: 'answered', status, retryAfter, body: Buffer.concat(this.chunks) } as const;
      this.settle(answer, this.connectionIsKept());
    });
    response.on('error', (error) => this.failed(error));
  }

  /** Not one that the vendor closes after this answer, or answered before it had read the whole request. */
  private connectionIsKept(): boolean {
    const { call, connection } = this;
    this.keptConnection = !!call?.shouldKeepAlive && call.writableFinished && (connection?.idleMs ?? 0) > 0;
    return this.keptConnection;
  }

  private take(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > MAX_ANSWER_BYTES) return this.cut('connection_lost');
    this.chunks.push(chunk);
  }

  private failed(error: Error): void {
    if (this.settled) return;
    this.settle(this.endedBy(this.sent ? 'connection_lost' : connectCode(error)), false);
  }

  private endedBy(code: WireCode): Answer {
    if (!this.sent) return { kind: 'not-sent', code };
    const { status, retryAfter } = this;
    return status === 0 ? { kind: 'lost', code } : { kind: 'answered', status, retryAfter };
  }

  private settle(answer: Answer, reusable: boolean): void {
    if (this.settled) return;
    this.settled = true;
    clearTimeout(this.timer);
    this.limits.signal.removeEventListener('abort', this.onAbort);
    this.leaveQueue?.();
    if (this.connection) this.pool.release(this.connection, reusable);
    this.done(answer);
  }
}
