import { Agent as HttpAgent, request as httpRequest, type ClientRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';

export interface ConnectionOptions {
  /** Scheme, host and port of the vendor. */
  readonly origin: string;
  /** An idle connection is closed by us after this, ms; shorter than the vendor's own idle time-out. */
  readonly keepAliveMs: number;
  /** If the vendor announces its idle time-out, we close this much earlier, ms; of a short one 40 % earlier. */
  readonly keepAliveMarginMs: number;
  /** Longest wait for TCP and TLS, ms. */
  readonly connectMs: number;
}

export interface ConnectionRequest {
  readonly method: 'POST' | 'GET';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The agent itself closes a connection this much before the vendor would; by `isStale` we do so sooner. */
const AGENT_MARGIN_MS = 1_000;
/** Of a short idle time-out so much is margin. */
const MARGIN_PART = 0.4;

/**
 * One connection to a vendor, for one call at a time: an agent of node:http with one socket, opened when it is used and has
 * none. Its pool gives it out and takes it back. `onIdleLoss` fires when the socket goes while nobody uses it.
 *
 * Why node:http: on a socket that stands it writes a request before this turn of the event loop ends. undici 8 looks at an
 * idle socket for a whole turn first; measured on a busy dispatcher that is up to 194 ms after the moment the token was for.
 */
export class Connection {
  /** Monotonic ms of the last use. */
  usedAtMs = 0;
  busy = false;
  private readonly agent: HttpAgent;
  /** The one that stands, or is being opened. */
  private socket: Socket | undefined;
  private readonly secure: boolean;
  private readonly origin: URL;
  /** How long it may be idle, ms; shorter when the vendor announced less, 0 = not at all. */
  idleMs: number;

  constructor(
    private readonly options: ConnectionOptions,
    private readonly onIdleLoss: (connection: Connection) => void,
  ) {
    this.origin = new URL(options.origin);
    this.secure = this.origin.protocol === 'https:';
    this.idleMs = options.keepAliveMs;
    const agent = {
      keepAlive: true,
      maxSockets: 1,
      timeout: options.keepAliveMs,
      agentKeepAliveTimeoutBuffer: AGENT_MARGIN_MS,
    };
    this.agent = this.secure ? new HttpsAgent(agent) : new HttpAgent(agent);
  }

  /** Whether its idle time is over, by the clock: after a stall of this process its timer may not have fired yet. */
  isStale(nowMs: number): boolean {
    return nowMs - this.usedAtMs >= this.idleMs;
  }

  /**
   * Begins a call. `leaves` is asked in the moment before the first byte is written, on a connection that stands; when it
   * says no, nothing is written. Throws on a request that HTTP cannot carry.
   */
  begin({ method, path, headers, body }: ConnectionRequest, leaves: () => boolean): ClientRequest {
    const { agent, origin, secure } = this;
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { agent, method, path, headers: { ...headers, ...length } };
    const request = (secure ? httpsRequest : httpRequest)(origin, options);
    request.once('response', (response) => this.heed(response.headers['keep-alive']));
    request.once('socket', (socket) => {
      // the vendor's end of it may have been read already, while its close has not come
      const write = (): void => void (socket.writable && leaves() ? request.end(body) : request.destroy());
      if (socket === this.socket) return write();
      this.took(socket);
      this.connecting(request, socket, write);
    });
    return request;
  }

  /** Closes at once; a call on it fails. */
  destroy(): void {
    this.agent.destroy();
  }

  private took(socket: Socket): void {
    this.socket = socket;
    const lost = (): void => void (this.busy || this.onIdleLoss(this));
    socket.once('end', lost);
    socket.once('close', lost);
    socket.on('error', () => undefined); // the call hears of it; an idle one is closed
  }

  private connecting(request: ClientRequest, socket: Socket, write: () => void): void {
    const timer = setTimeout(
      () => request.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' })),
      this.options.connectMs,
    );
    socket.once('close', () => clearTimeout(timer));
    socket.once(this.secure ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      write();
    });
  }

  /** What the vendor says of its idle time-out (`Keep-Alive: timeout=5`). */
  private heed(keepAlive: string | string[] | undefined): void {
    const seconds = /timeout=(\d+)/.exec(String(keepAlive ?? ''))?.[1];
    if (seconds === undefined) return;
    const { keepAliveMs, keepAliveMarginMs } = this.options;
    const toldMs = Number(seconds) * 1000;
    const marginMs = Math.max(AGENT_MARGIN_MS, Math.min(keepAliveMarginMs, MARGIN_PART * toldMs));
    this.idleMs = Math.max(0, Math.min(keepAliveMs, toldMs - marginMs));
  }
}
