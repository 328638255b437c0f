import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CHANNELS, type Channel } from '@commservice/contracts';
import { CallLog } from './call-log.js';
import { SandboxConfig, type ConfigChange } from './config.js';
import { ControlRoute } from './control-route.js';
import { Fates } from './fate.js';
import { Handset } from './handset.js';
import { LagMeter } from './lag-meter.js';
import { PAGE, PAGE_HEADERS } from './page.js';
import { readBody, reply } from './reply.js';
import { RECEIPT_DEFAULTS, ReceiptOutbox, type ReceiptOptions } from './receipts.js';
import { SendRoute } from './send-route.js';

const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** Longer than any client's idle time-out, so that clients close first. */
const KEEP_ALIVE_MS = 60_000;
/** A call without an answer keeps its socket this long, at most. */
const SILENT_MS = 300_000;

export interface SandboxOptions {
  /** TCP port; 0 = a free one. */
  readonly port: number;
  /** Address to listen on; default 127.0.0.1. */
  readonly host?: string;
  /** Same seed and same order of calls, same fates; default 1. */
  readonly seed?: number;
  /** Starting values by channel or account; default: the accounts of the development catalogue. */
  readonly config?: ConfigChange;
  /** Calls remembered for `/control/calls`; default 2 000 000. */
  readonly callCapacity?: number;
  readonly receipts?: Partial<ReceiptOptions>;
}

export interface Sandbox {
  readonly url: string;
  readonly port: number;
  /** Stops listening, drops open connections and undelivered receipts. */
  stop(): Promise<void>;
}

const nowUs = (): number => Math.round((performance.timeOrigin + performance.now()) * 1000);

/** The routes and everything behind them. */
class SandboxApp {
  readonly lag = new LagMeter();
  readonly receipts: ReceiptOutbox;
  private readonly handset = new Handset();
  private readonly log: CallLog;
  private readonly sends: SendRoute;
  private readonly control: ControlRoute;

  constructor(options: SandboxOptions) {
    const config = new SandboxConfig(options.config);
    this.log = new CallLog(options.callCapacity);
    this.receipts = new ReceiptOutbox({ ...RECEIPT_DEFAULTS, ...options.receipts });
    const fates = new Fates(config, options.seed ?? 1);
    const { log, lag, receipts, handset } = this;
    this.sends = new SendRoute({ config, fates, log, lag, receipts, handset });
    this.control = new ControlRoute(config, log, handset);
  }

  handle(req: IncomingMessage, res: ServerResponse): void {
    const atUs = nowUs();
    readBody(req, MAX_BODY_BYTES, (body) => {
      if (body) return this.route(req, body, atUs, res);
      if (!req.destroyed) reply(res, 413, { code: 'too_large' }, { connection: 'close' });
    });
  }

  private route(req: IncomingMessage, body: Buffer, atUs: number, res: ServerResponse): void {
    const method = req.method ?? 'GET';
    const path = req.url ?? '/';
    const send = /^\/([a-z]+)\/messages(\/batch)?$/.exec(path);
    const channel = send?.[1] as Channel | undefined;
    if (send && channel && method === 'POST' && CHANNELS.includes(channel)) {
      return this.sends.handle(channel, send[2] !== undefined, req.headers, body, atUs, res);
    }
    if (path.startsWith('/control/'))
      return this.control.handle(method, new URL(path, 'http://sandbox'), body, res);
    if (method !== 'GET') return reply(res, 404, { code: 'not_found' });
    return this.show(path, res);
  }

  private show(path: string, res: ServerResponse): void {
    switch (path) {
      case '/':
        res.writeHead(200, PAGE_HEADERS).end(PAGE);
        return;
      case '/handset':
        return reply(res, 200, { messages: this.handset.messages() }, { 'cache-control': 'no-store' });
      case '/health/ready':
      case '/health/live':
        return reply(res, 200, { status: 'ok', calls: this.log.lastSeq, receipts: this.receiptCounts() });
      default:
        return reply(res, 404, { code: 'not_found' });
    }
  }

  private receiptCounts(): { pending: number; dropped: number } {
    return { pending: this.receipts.pending, dropped: this.receipts.dropped };
  }
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Starts a sandbox. Rejects when the port is taken. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const app = new SandboxApp(options);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (req, res) => app.handle(req, res));
  server.setTimeout(SILENT_MS);
  const host = options.host ?? '127.0.0.1';
  const halt = () => {
    app.receipts.stop();
    app.lag.stop();
  };
  const port = await listen(server, options.port, host).catch((error: unknown) => {
    halt();
    throw error;
  });
  const stop = () =>
    new Promise<void>((resolve) => {
      halt();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`, port, stop };
}
