import type { Clock } from '@commservice/contracts';
import type { Dispatcher } from 'undici';
import { connectCode, type Answer, type WireCode } from './answer.js';
import type { Connection } from './connection.js';
import type { ConnectionPool, Lease, Waiter } from './connection-pool.js';

/** An answer larger than this is not read. */
export const MAX_ANSWER_BYTES = 64 * 1024;

export interface ExchangeRequest {
  readonly method: 'POST' | 'GET';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

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
 * `not-sent`, from SENT on never so. undici must not write twice: a second start is cut off. Redirects are not followed.
 * Caller: `HttpClient`.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  private connection?: Connection;
  private controller?: Dispatcher.DispatchController;
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
    const { method, path, headers, body } = this.request;
    connection.client.dispatch({ method, path, headers, body: body ?? null }, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const again = this.sent;
    const expired = !again && this.clock.now() >= this.limits.notAfterEpochMs;
    if (this.settled || again || expired) {
      this.cut(expired ? 'expired' : 'connection_lost'); // first, as abort() reports back at once
      controller.abort(new Error('the exchange is over'));
      return;
    }
    this.controller = controller;
    this.sent = true;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.status = status;
    const retryAfter = headers['retry-after'];
    this.retryAfter = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > MAX_ANSWER_BYTES) return this.cut('connection_lost');
    this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    const { status, retryAfter } = this;
    this.settle({ kind: 'answered', status, retryAfter, body: Buffer.concat(this.chunks) }, true);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
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
