import path from 'node:path';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ProxyMode, ProxyOrder, ProxyReply, ProxyStart, ProxyTarget } from './messages.js';

/** `worker.js` beside `dist`'s, `worker.ts` beside `src`'s. */
const WORKER = path.join(__dirname, `worker${path.extname(__filename)}`);

/**
 * A TCP proxy on a port of its own, to break the link between a client and a server at will. It runs in a worker thread,
 * so that a busy test slows nobody. States: PASSING (first) ⇄ DELAYING ⇄ BLACK-HOLE ⇄ CUT by its verbs; any → CLOSED.
 * Invariants: a verb has taken effect, for connections that exist and for new ones, when its promise resolves; bytes keep
 * their order and none are lost except by a reset. Callers: tests and journeys.
 */
export class TcpProxy {
  private orders: Promise<unknown> = Promise.resolve();
  private closed = false;

  private constructor(
    private readonly worker: Worker,
    /** Where it listens, on 127.0.0.1. */
    readonly port: number,
  ) {}

  /** Listens on a free port; connections lead to `target`, which need not run yet. */
  static async open({ host, port }: ProxyTarget): Promise<TcpProxy> {
    const worker = new Worker(WORKER, {
      workerData: { target: { host, port } } satisfies ProxyStart,
      // from `src`: our packages say nothing of their module type
      execArgv: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'],
    });
    const [reply] = (await once(worker, 'message')) as [ProxyReply];
    if (reply.kind !== 'listens') throw new Error('the proxy answered before it listened');
    // it never keeps the process alive by itself
    worker.unref();
    return new TcpProxy(worker, reply.port);
  }

  /** Everything goes through at once. */
  pass(): Promise<void> {
    return this.set({ kind: 'pass' });
  }

  /** Each chunk arrives `chunkMs` later, both ways: a round trip takes twice that longer. */
  delay(chunkMs: number): Promise<void> {
    return this.set({ kind: 'delay', chunkMs });
  }

  /** Keeps connections and accepts new ones, and moves nothing. What was held goes on with the next verb. */
  blackHole(): Promise<void> {
    return this.set({ kind: 'black-hole' });
  }

  /** Resets connections, new ones as soon as they come. */
  cut(): Promise<void> {
    return this.set({ kind: 'cut' });
  }

  /** Leads to another server from now on; connections to the one before are reset. */
  retarget({ host, port }: ProxyTarget): Promise<void> {
    return this.order({ kind: 'retarget', target: { host, port } });
  }

  /** Resets all connections and listens no more. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    const ended = once(this.worker, 'exit');
    this.worker.ref();
    this.worker.postMessage({ kind: 'close' } satisfies ProxyOrder);
    await ended;
  }

  private set(mode: ProxyMode): Promise<void> {
    return this.order({ kind: 'mode', mode });
  }

  /** One at a time: the worker answers in order, without numbers. */
  private order(order: ProxyOrder): Promise<void> {
    if (this.closed) return Promise.reject(new Error('the proxy is closed'));
    const done = this.orders.then(async () => {
      const answered = once(this.worker, 'message');
      this.worker.postMessage(order);
      await answered;
    });
    this.orders = done.catch(() => undefined);
    return done;
  }
}
