import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSandbox, type Sandbox } from './server.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(deliveredShare = 1): Promise<Sandbox> {
  const config = { acc: { latencyMs: 0, receipts: { delayMs: 0, deliveredShare } } };
  const receipts = { everyMs: 5, retryMs: 10, retries: 5 };
  const sandbox = await startSandbox({ port: 0, config, receipts });
  closers.push(() => sandbox.stop());
  return sandbox;
}

/** Sends a batch of these ids to the account `acc`. */
const send = (s: Sandbox, ids: string[], receiptUrl: string) => {
  const facts = { priority: 'P3', to: { phone: '+447700900123' }, content: { text: 'x' }, expiresAt: 1e15 };
  const body = JSON.stringify({ items: ids.map((id) => ({ ...facts, id })), receiptUrl });
  return fetch(`${s.url}/sms/messages/batch`, { method: 'POST', headers: { 'x-account': 'acc' }, body });
};

describe('receipts', () => {
  /** A hook whose answers are `statuses`, then 200; resolves when `count` receipts were taken. */
  async function hook(count: number, statuses: number[] = []) {
    const taken: Record<string, unknown>[] = [];
    let posts = 0;
    let enough: () => void = () => undefined;
    const all = new Promise<void>((resolve) => (enough = resolve));
    const server: Server = createServer((req, res) => {
      let body = '';
      req.setEncoding('utf8').on('data', (text: string) => (body += text));
      req.on('end', () => {
        const status = statuses[posts++] ?? 200;
        if (status === 200)
          taken.push(...(JSON.parse(body) as { receipts: Record<string, unknown>[] }).receipts);
        res.writeHead(status).end();
        if (taken.length >= count) enough();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/receipts/sandbox`;
    return { url, all, taken, posts: () => posts };
  }

  it('come grouped, name message, vendor id, state and time', async () => {
    const s = await start();
    const h = await hook(50);
    await send(
      s,
      Array.from({ length: 50 }, (_, i) => `i${i}`),
      h.url,
    );
    await h.all;
    expect(h.posts()).toBeLessThan(25);
    expect(h.taken[0]).toEqual({
      id: 'i0',
      providerId: 'acc:i0',
      state: 'delivered',
      at: expect.any(String),
    });
    expect(Number.isNaN(Date.parse(String(h.taken[0]?.at)))).toBe(false);
  });

  it('come again until they are taken', async () => {
    const s = await start();
    const h = await hook(1, [500, 503]);
    await send(s, ['m'], h.url);
    await h.all;
    expect(h.posts()).toBe(3);
  });

  it('say undelivered for the share that is configured, and come once per message', async () => {
    const s = await start(0);
    const h = await hook(2);
    await send(s, ['m'], h.url);
    await send(s, ['m', 'n'], h.url);
    await h.all;
    expect(h.taken.map((r) => [r.id, r.state])).toEqual([
      ['m', 'undelivered'],
      ['n', 'undelivered'],
    ]);
  });
});
