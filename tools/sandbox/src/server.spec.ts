import { request } from 'node:http';
import { startSandbox, type Sandbox, type SandboxOptions } from './server.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(config: SandboxOptions['config'] = {}): Promise<Sandbox> {
  const quick = { latencyMs: 0, receipts: { delayMs: 0 } };
  const sandbox = await startSandbox({
    port: 0,
    config: { sms: quick, push: quick, ...config },
    receipts: { everyMs: 5, retryMs: 10, retries: 5 },
  });
  closers.push(() => sandbox.stop());
  return sandbox;
}

const HEADERS = {
  'content-type': 'application/json',
  'x-priority': 'P1',
  'x-brand': 'alfa',
  'x-pod': 'pod-1',
  'x-account': 'acc',
  'x-kind': 'message',
};
const good = {
  to: { phone: '+447700900123' },
  content: { text: 'hello' },
  units: 1,
  expiresAt: Date.now() + 60_000,
};
const json = async (res: Response) => (await res.json()) as Record<string, unknown>;

const post = (s: Sandbox, id: string, change: object = {}, headers: object = {}) =>
  fetch(`${s.url}/sms/messages`, {
    method: 'POST',
    headers: { ...HEADERS, 'x-message-id': id, ...headers },
    body: JSON.stringify({ ...good, ...change }),
  });
const batch = (s: Sandbox, texts: string[], change: object = {}) =>
  fetch(`${s.url}/sms/messages/batch`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({
      items: texts.map((text, i) => ({
        ...good,
        id: `i${i}`,
        priority: 'P3',
        brand: 'beta',
        content: { text },
      })),
      ...change,
    }),
  });
const configure = (s: Sandbox, change: object) =>
  fetch(`${s.url}/control/config`, { method: 'PUT', body: JSON.stringify(change) });
const calls = async (s: Sandbox, query = '') =>
  (await (await fetch(`${s.url}/control/calls${query}`)).text())
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('the sandbox over HTTP', () => {
  it('accepts a message and records every field of the call', async () => {
    const s = await start();
    const before = (performance.timeOrigin + performance.now()) * 1000;
    const res = await post(s, 'm1', { content: { text: 'a'.repeat(161) } });
    expect([res.status, (await json(res)).units]).toEqual([200, 2]);
    const [call] = await calls(s);
    expect(call).toMatchObject({
      seq: 1,
      channel: 'sms',
      id: 'm1',
      priority: 'P1',
      brand: 'alfa',
      pod: 'pod-1',
      account: 'acc',
      kind: 'message',
      units: 2,
      declared: 1,
      expiresAt: good.expiresAt,
      outcome: 'accepted',
    });
    expect(Math.abs(Number(call?.atEpochUs) - before)).toBeLessThan(1e6);
    expect(Number(call?.lagMs)).toBeGreaterThanOrEqual(0);
  });

  it('takes the time of a call before its body', async () => {
    const s = await start();
    const [head, tail] = [JSON.stringify(good).slice(0, 10), JSON.stringify(good).slice(10)];
    const sent = new Promise((resolve, reject) => {
      const req = request(
        `${s.url}/sms/messages`,
        { method: 'POST', headers: { ...HEADERS, 'x-message-id': 'slow' } },
        (res) => {
          res.resume().on('end', resolve);
        },
      );
      req.on('error', reject);
      req.write(head);
      setTimeout(() => req.end(tail), 150);
    });
    await sent;
    const [call] = await calls(s);
    const ageMs = performance.timeOrigin + performance.now() - Number(call?.atEpochUs) / 1000;
    expect(ageMs).toBeGreaterThan(120);
  });

  it('refuses with 429 and Retry-After what exceeds the rate by more than 2 % + 1', async () => {
    const s = await start({ acc: { ratePerSecond: 100 } });
    const answers = await Promise.all(Array.from({ length: 110 }, (_, i) => post(s, `m${i}`)));
    const refused = answers.filter((r) => r.status === 429);
    expect(refused.length).toBe(110 - 103);
    const wait = Number(refused[0]?.headers.get('retry-after'));
    expect(wait > 0 && wait <= 1).toBe(true);
    expect((await post(s, 'other', {}, { 'x-account': 'free' })).status).toBe(200);
  });

  it('refuses what is not a message', async () => {
    const s = await start();
    const raw = (body: string) =>
      fetch(`${s.url}/sms/messages`, { method: 'POST', headers: { ...HEADERS, 'x-message-id': 'x' }, body });
    expect(await json(await raw('{'))).toEqual({ code: 'malformed' });
    expect(await json(await raw('{}'))).toEqual({ code: 'incomplete' });
    expect((await fetch(`${s.url}/pigeon/messages`, { method: 'POST', body: '{}' })).status).toBe(404);
    expect((await raw('x'.repeat(9 << 20)).catch(() => ({ status: 413 }))).status).toBe(413);
    expect(await calls(s)).toEqual([]);
  });

  it('answers a batch per item', async () => {
    const s = await start({ acc: { refuse: [{ pattern: 'poison', code: 'bad' }] } });
    const res = await batch(s, ['one', 'poison', 'three']);
    expect(await json(res)).toMatchObject({
      results: [
        { id: 'i0', status: 200 },
        { id: 'i1', status: 400, code: 'bad' },
        { id: 'i2', status: 200 },
      ],
    });
    expect((await calls(s)).map((c) => [c.outcome, c.priority, c.brand])).toEqual([
      ['accepted', 'P3', 'beta'],
      ['refused', 'P3', 'beta'],
      ['accepted', 'P3', 'beta'],
    ]);
  });

  it('refuses an all-or-nothing batch as a whole, and sends none of it', async () => {
    const s = await start({
      acc: { batchMode: 'all-or-nothing', refuse: [{ pattern: 'poison', code: 'bad' }] },
    });
    const res = await batch(s, ['one', 'poison']);
    expect([res.status, await json(res)]).toEqual([400, { code: 'bad' }]);
    expect((await calls(s)).map((c) => c.outcome)).toEqual(['refused', 'refused']);
    expect((await json(await batch(s, ['one', 'two']))).results).toHaveLength(2);
  });

  it('merges a change of configuration and names what is wrong with a bad one', async () => {
    const s = await start();
    await configure(s, { acc: { fail: { share: 1 } } });
    expect((await post(s, 'm')).status).toBe(500);
    const bad = await configure(s, { acc: { fail: { share: 'all' } } });
    expect([bad.status, JSON.stringify(await json(bad))]).toEqual([
      422,
      expect.stringContaining('/acc/fail/share'),
    ]);
    expect(await json(await fetch(`${s.url}/control/config`))).toMatchObject({
      acc: { fail: { share: 1, status: 500 } },
    });
  });

  it('selects and forgets calls', async () => {
    const s = await start();
    await post(s, 'm1');
    await post(s, 'm2');
    expect((await calls(s, '?channel=sms&since=1')).map((c) => c.id)).toEqual(['m2']);
    expect(await calls(s, '?channel=push')).toEqual([]);
    await fetch(`${s.url}/control/calls`, { method: 'DELETE' });
    expect(await calls(s)).toEqual([]);
    await post(s, 'm3');
    expect((await calls(s)).map((c) => c.seq)).toEqual([3]);
  });

  it('shows messages, but no heartbeats, on a page without foreign parts', async () => {
    const s = await start();
    await post(s, 'm1', { content: { text: '<b>code</b>' } });
    await post(s, 'm2', {}, { 'x-kind': 'heartbeat' });
    const page = await fetch(`${s.url}/`);
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html).not.toMatch(/(src|href)="(?!data:)/);
    const { messages } = await json(await fetch(`${s.url}/handset`));
    expect(messages).toMatchObject([
      { channel: 'sms', content: { text: '<b>code</b>' }, outcome: 'accepted' },
    ]);
  });

  it('says that it is ready', async () => {
    expect((await fetch(`${(await start()).url}/health/ready`)).status).toBe(200);
  });
});
