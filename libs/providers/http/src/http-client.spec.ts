import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import { systemClock } from '@commservice/contracts';
import type { ExchangeLimits } from './exchange.js';
import { HttpClient, type HttpClientOptions } from './http-client.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function listening<T extends Server | TcpServer>(server: T): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

/** A server that counts its connections. */
async function serve(handle: RequestListener) {
  let connections = 0;
  const server = createServer({ keepAliveTimeout: 60_000 }, handle);
  server.on('connection', () => (connections += 1));
  const port = await listening(server);
  closers.push(() => Promise.resolve(server.closeAllConnections()));
  return { origin: `http://127.0.0.1:${port}`, connections: () => connections };
}

/** A server that answers after 10 ms also while this thread is busy; its answer says when the request came, epoch ms. */
async function serveFromAnotherThread(): Promise<number> {
  const worker = new Worker(
    `const server = require('node:http').createServer((req, res) => {
       const at = Date.now();
       setTimeout(() => res.end(JSON.stringify({ at })), 10);
     });
     server.listen(0, '127.0.0.1', () => require('node:worker_threads').parentPort.postMessage(server.address().port));`,
    { eval: true },
  );
  closers.push(() => worker.terminate());
  return new Promise((resolve) => worker.once('message', resolve));
}

function clientOf(origin: string, change: Partial<HttpClientOptions> = {}): HttpClient {
  const client = new HttpClient({
    origin,
    connections: 4,
    warmConnections: 1,
    warmPath: '/warm',
    keepAliveMs: 30_000,
    keepAliveMarginMs: 4_000,
    connectMs: 3_000,
    clock: systemClock,
    ...change,
  });
  closers.push(() => client.drain(0));
  return client;
}

const post = (client: HttpClient, change: Partial<ExchangeLimits> = {}) =>
  client.send(
    { method: 'POST', path: '/', headers: {}, body: '{}' },
    { signal: new AbortController().signal, timeoutMs: 2_000, notAfterEpochMs: Infinity, ...change },
  );

describe('the HTTP client', () => {
  it('writes on a connection that stands before this turn of the event loop ends: a token is for its moment', async () => {
    const client = clientOf(`http://127.0.0.1:${await serveFromAnotherThread()}`);
    await client.warm();
    const sent = post(client);
    await new Promise((resolve) => process.nextTick(resolve));
    const from = Date.now();
    while (Date.now() - from < 200); // other work of this turn
    const { answer } = await sent;
    const { at } = JSON.parse(String(answer.kind === 'answered' && answer.body)) as { at: number };
    expect(at - from).toBeLessThan(100);
  });

  it('opens connections ahead of calls, and is ready while one stands', async () => {
    const server = await serve((req, res) => setTimeout(() => res.end('{}'), req.url === '/warm' ? 0 : 50));
    const client = clientOf(server.origin, { connections: 10 });
    expect(client.ready()).toBe(false);
    while (!client.ready()) await new Promise(setImmediate);
    const sent = [post(client), post(client)];
    while (!client.ready()) await new Promise(setImmediate);
    await Promise.all(sent);
    expect(server.connections()).toBeGreaterThanOrEqual(3);
  });

  it('is ready on no connection that the vendor closes after its answer, and calls connect themselves', async () => {
    const server = await serve((_req, res) => res.setHeader('connection', 'close').end('{}'));
    const client = clientOf(server.origin, { connections: 20 });
    await client.warm();
    await post(client);
    for (let i = 0; i < 100; i++) await new Promise(setImmediate);
    expect(client.ready()).toBe(true); // by the failure, not by a connection
    const before = server.connections();
    for (let i = 0; i < 5; i++) expect((await post(client)).answer.kind).toBe('answered');
    expect(server.connections() - before).toBe(5);
  });

  it.each([
    ['timeout=5', 1],
    ['timeout=1', 3],
  ])('heeds how long the vendor keeps a connection: %s', async (hint, connections) => {
    const server = await serve((_req, res) => res.setHeader('keep-alive', hint).end('{}'));
    const client = clientOf(server.origin, { connections: 1, warmConnections: 0 });
    for (let i = 0; i < 3; i++) await post(client);
    expect(server.connections()).toBe(connections);
  });

  it('cuts off a vendor that wants to speak another protocol', async () => {
    const port = await listening(
      createTcpServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () =>
          socket.write('HTTP/1.1 101 x\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
        );
      }),
    );
    const client = clientOf(`http://127.0.0.1:${port}`, { connections: 1, warmConnections: 0 });
    expect((await post(client)).answer).toEqual({ kind: 'lost', code: 'connection_lost' });
  });

  it('does not use a connection whose idle time passed while this process was busy', async () => {
    const server = await serve((_req, res) => res.end('{}'));
    const client = clientOf(server.origin, { keepAliveMs: 100, connections: 1, warmConnections: 0 });
    await post(client);
    const from = Date.now();
    while (Date.now() - from < 150); // no timer fires
    await post(client);
    expect(server.connections()).toBe(2);
  });

  it('uses one connection for calls one after another', async () => {
    const server = await serve((_req, res) => res.end('{}'));
    const client = clientOf(server.origin, { connections: 1 });
    for (let i = 0; i < 5; i++)
      expect((await post(client)).answer).toMatchObject({ kind: 'answered', status: 200 });
    expect(server.connections()).toBe(1);
  });

  it('takes an answer that came while this process was too busy to see its deadline pass', async () => {
    const client = clientOf(`http://127.0.0.1:${await serveFromAnotherThread()}`);
    await post(client);
    const busy = post(client, { timeoutMs: 30 });
    setImmediate(() => {
      const until = performance.now() + 250;
      while (performance.now() < until);
    });
    expect((await busy).answer).toMatchObject({ kind: 'answered', status: 200 });
  });

  it('never opens more connections than its limit, and serves those that wait in order', async () => {
    const server = await serve((_req, res) => setTimeout(() => res.end('{}'), 20));
    const client = clientOf(server.origin, { connections: 3 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(client)));
    expect(answers.every(({ answer }) => answer.kind === 'answered')).toBe(true);
    expect(server.connections()).toBe(3);
  });

  it('refuses at once, unsent, what its queue has no room for', async () => {
    const server = await serve((_req, res) => setTimeout(() => res.end('{}'), 20));
    const client = clientOf(server.origin, { connections: 1 });
    const answers = await Promise.all(Array.from({ length: 3 }, () => post(client)));
    expect(answers.map(({ answer }) => (answer.kind === 'not-sent' ? answer.code : answer.kind))).toEqual([
      'answered',
      'answered',
      'no_connection',
    ]);
  });

  it('replaces a connection whose call was cut off, so that hung calls do not use them up', async () => {
    let hang = true;
    const server = await serve((_req, res) => (hang ? undefined : res.end('{}')));
    const client = clientOf(server.origin, { connections: 1 });
    expect((await post(client, { timeoutMs: 50 })).answer).toEqual({ kind: 'lost', code: 'timeout' });
    hang = false;
    expect((await post(client)).answer.kind).toBe('answered');
    expect(server.connections()).toBe(2);
  });

  it('recovers by a new connection when the vendor closed the idle one', async () => {
    const server = await serve((_req, res) => res.setHeader('connection', 'close').end('{}'));
    const client = clientOf(server.origin, { connections: 1 });
    for (let i = 0; i < 3; i++) expect((await post(client)).answer.kind).toBe('answered');
    expect(server.connections()).toBe(3);
  });

  it('keeps a connection warm over many idle time-outs', async () => {
    let warmings = 0;
    let enough: () => void = () => undefined;
    const warmed = new Promise<void>((resolve) => (enough = resolve));
    const server = await serve((req, res) => {
      if (req.url === '/warm' && ++warmings === 6) enough();
      res.end();
    });
    const client = clientOf(server.origin, { keepAliveMs: 200 });
    await client.warm();
    await warmed;
    expect(server.connections()).toBe(1);
  });

  it('warms by halves, so that a call finds one that stands', async () => {
    let [started, atOnce, most, rounds] = [false, 0, 0, 0];
    let enough: () => void = () => undefined;
    const warmed = new Promise<void>((resolve) => (enough = resolve));
    const server = await serve((_req, res) => {
      atOnce++;
      if (started) most = Math.max(most, atOnce);
      setTimeout(() => {
        atOnce--;
        res.end();
        if (started && ++rounds === 12) enough();
      }, 10);
    });
    const client = clientOf(server.origin, { connections: 8, warmConnections: 4, keepAliveMs: 200 });
    await client.warm();
    started = true;
    await warmed;
    expect(most).toBeLessThanOrEqual(2);
  });

  it('is warm even if the vendor was away at the start', async () => {
    const tcp = createTcpServer();
    const port = await listening(tcp);
    await new Promise((resolve) => tcp.close(resolve));
    await expect(clientOf(`http://127.0.0.1:${port}`).warm()).resolves.toBeUndefined();
  });

  it('has sent nothing when the connection cannot be secured', async () => {
    const plain = await serve((_req, res) => res.end());
    const client = clientOf(plain.origin.replace('http:', 'https:'));
    expect((await post(client)).answer).toEqual({ kind: 'not-sent', code: 'tls_failed' });
  });

  it('blames the vendor when it gives up while connecting, and has sent nothing', async () => {
    const silent = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      closers.push(() => Promise.resolve(socket.destroy()));
    });
    const client = clientOf(`https://127.0.0.1:${await listening(silent)}`);
    expect((await post(client, { timeoutMs: 60 })).answer).toEqual({
      kind: 'not-sent',
      code: 'connect_timeout',
    });
  });

  it('blames nobody else when no connection came free in time', async () => {
    const server = await serve(() => undefined);
    const client = clientOf(server.origin, { connections: 1 });
    const hung = post(client, { timeoutMs: 300 });
    expect((await post(client, { timeoutMs: 40 })).answer).toEqual({ kind: 'not-sent', code: 'timeout' });
    expect((await hung).answer).toEqual({ kind: 'lost', code: 'timeout' });
  });

  it('cuts off an answer that does not end, and goes by its status', async () => {
    const server = await serve((_req, res) => res.writeHead(400).write('{"code":'));
    const { answer } = await post(clientOf(server.origin), { timeoutMs: 80 });
    expect(answer).toEqual({ kind: 'answered', status: 400, retryAfter: undefined });
  });

  it('rejects headers that would inject others, unsent', async () => {
    const server = await serve((_req, res) => res.end());
    const request = {
      method: 'POST' as const,
      path: '/',
      headers: { 'x-brand': 'a\r\nx-evil: 1' },
      body: '{}',
    };
    const limits = { signal: new AbortController().signal, timeoutMs: 500, notAfterEpochMs: Infinity };
    const { answer } = await clientOf(server.origin).send(request, limits);
    expect(answer).toEqual({ kind: 'not-sent', code: 'unsendable' });
  });

  it('lets what is in the air finish while it drains', async () => {
    const server = await serve((_req, res) => setTimeout(() => res.end('{}'), 40));
    const client = clientOf(server.origin);
    const sent = post(client);
    await client.drain(2_000);
    expect((await sent).answer.kind).toBe('answered');
    expect((await post(client)).answer).toEqual({ kind: 'not-sent', code: 'draining' });
  });
});
