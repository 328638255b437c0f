/*
 * The body of a proxy's worker thread. It runs from `dist`, and from `src` by Node's own type stripping: so it imports
 * values of Node only and uses no syntax that would need compiling.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import type { ProxyMode, ProxyOrder, ProxyReply, ProxyStart, ProxyTarget } from './messages.js';

/** Moves what one side sends to the other, under the mode of the moment. */
interface Way {
  readonly obey: (mode: ProxyMode) => void;
}

function way(from: Socket, to: Socket, first: ProxyMode): Way {
  let mode = first;
  let freeAtMs = 0;
  // equal timers may fire in one turn but never before an earlier one: chunks keep their order
  const later = (run: () => void): void => {
    const now = performance.now();
    freeAtMs = Math.max(freeAtMs, now + (mode.kind === 'delay' ? mode.chunkMs : 0));
    if (freeAtMs <= now) run();
    else setTimeout(run, Math.ceil(freeAtMs - now));
  };
  from.on('data', (chunk) => later(() => to.writable && to.write(chunk)));
  from.on('end', () => later(() => to.end()));
  const obey = (next: ProxyMode): void => {
    mode = next;
    if (mode.kind === 'black-hole') from.pause();
    else from.resume();
  };
  obey(first);
  return { obey };
}

/** A socket that has said goodbye cannot be reset any more: asked for, it would stay for ever. */
const drop = (socket: Socket): void =>
  void (socket.writableEnded ? socket.destroy() : socket.resetAndDestroy());

/** One client's connection and the one it leads to. */
class Pair {
  private server: Socket | undefined;
  private ways: Way[] = [];
  private mode: ProxyMode;
  private readonly client: Socket;
  private readonly target: () => ProxyTarget;
  private readonly gone: (pair: Pair) => void;

  constructor(client: Socket, mode: ProxyMode, target: () => ProxyTarget, gone: (pair: Pair) => void) {
    this.client = client;
    this.mode = mode;
    this.target = target;
    this.gone = gone;
    client.pause();
    client.on('error', () => this.reset());
    client.on('close', () => this.end());
    this.obey(mode);
  }

  obey(mode: ProxyMode): void {
    this.mode = mode;
    if (mode.kind === 'cut') this.reset();
    else if (!this.server && mode.kind !== 'black-hole') this.dial();
    for (const w of this.ways) w.obey(mode);
  }

  reset(): void {
    drop(this.client);
    if (this.server) drop(this.server);
  }

  private dial(): void {
    const server = connect({ ...this.target(), noDelay: true });
    this.server = server;
    server.on('error', () => this.reset());
    server.on('close', () => this.client.destroySoon());
    server.once('connect', () => {
      this.ways = [way(this.client, server, this.mode), way(server, this.client, this.mode)];
    });
  }

  private end(): void {
    this.server?.destroySoon();
    this.gone(this);
  }
}

function proxy(port: NonNullable<typeof parentPort>, start: ProxyStart): void {
  let target = start.target;
  let mode: ProxyMode = { kind: 'pass' };
  const pairs = new Set<Pair>();
  const say = (reply: ProxyReply): void => port.postMessage(reply);
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    pairs.add(
      new Pair(
        client,
        mode,
        () => target,
        (pair) => pairs.delete(pair),
      ),
    );
  });
  server.listen({ port: 0, host: '127.0.0.1' }, () =>
    say({ kind: 'listens', port: (server.address() as AddressInfo).port }),
  );
  port.on('message', (order: ProxyOrder) => {
    switch (order.kind) {
      case 'mode':
        mode = order.mode;
        for (const pair of [...pairs]) pair.obey(mode);
        return say({ kind: 'done' });
      case 'retarget':
        target = order.target;
        for (const pair of [...pairs]) pair.reset();
        return say({ kind: 'done' });
      case 'close':
        for (const pair of [...pairs]) pair.reset();
        // a chunk that is still delayed keeps nobody waiting
        return process.exit(0);
    }
  });
}

if (parentPort) proxy(parentPort, workerData as ProxyStart);
