import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { developmentCatalogue, IngestHarness, sms } from '../../test/ingest-harness.js';

const OTHER_KEY = 'live_other_key_for_this_test';
const catalogue = developmentCatalogue();
const demo = catalogue.keys.find((key) => key.kind === 'live');
if (!demo) throw new Error('the development catalogue has a live key');

let api: IngestHarness;
let base: string;
let sockets: Socket[] = [];
beforeEach(async () => {
  // single bodies: 2 MiB, four of the largest
  api = await new IngestHarness({
    catalogue: {
      ...catalogue,
      teams: { ...catalogue.teams, other: catalogue.teams['demo'] as never },
      keys: [
        ...catalogue.keys,
        {
          ...demo,
          id: 'live-other',
          team: 'other',
          sha256: createHash('sha256').update(OTHER_KEY).digest('hex'),
        },
      ],
    },
  }).start();
  base = await api.listen();
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await api.stop();
});

/** Sends a head, and `sent` of the 512 KiB body it promises; resolves with the head of the answer. */
function promise(
  path: string,
  { key, sent = 1, method = 'POST' }: { key?: string; sent?: number; method?: string },
) {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  sockets.push(socket);
  socket.write(
    `${method} ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 524288\r\n` +
      `expect: 100-continue\r\n${key ? `authorization: Bearer ${key}\r\n` : ''}\r\n`,
  );
  socket.write(Buffer.alloc(sent, 0x20));
  let text = '';
  return {
    /** The server has begun to read it. */
    begun: new Promise<void>((resolve) => socket.on('data', () => resolve())),
    status: new Promise<number>((resolve) =>
      socket.on('data', (data) => {
        text += data.toString();
        const status = /HTTP\/1.1 ([2-5]\d\d)/.exec(text)?.[1];
        if (status) resolve(Number(status));
      }),
    ),
  };
}

const message = (authorization: string) =>
  api.call('POST', '/v1/messages', sms(), { authorization: `Bearer ${authorization}` });
const DEMO = 'live_demo_key_for_development_only';

describe('a body', () => {
  it.each([
    ['/x', 404],
    ['/v1/nothing', 404],
    ['/%761/messages', 401],
    ['/v1/m%65ssages', 401],
    ['/v1/messages?a=/x', 401],
    ['/v1/messages/x', 405],
  ])(
    'without a key or a route holds no memory, and is answered before it is read: %s',
    async (path, status) => {
      const slow = Array.from({ length: 8 }, () => promise(path, {}));
      await Promise.all(slow.map(({ begun }) => begun));
      expect((await message(DEMO)).status).toBe(202);
      expect(await Promise.all(slow.map((s) => s.status))).toEqual(Array(8).fill(status));
    },
  );

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'of a method no route takes is not read: %s',
    async (method) => {
      const slow = promise('/x', { method, key: DEMO });
      expect(await slow.status).toBe(404);
    },
  );

  it('that is promised and does not come holds no memory', async () => {
    const slow = Array.from({ length: 8 }, () => promise('/v1/messages', { key: DEMO }));
    await Promise.all(slow.map(({ begun }) => begun));
    expect((await message(DEMO)).status).toBe(202);
  });

  it('of a team that fills its share gets 503, while another team goes on', async () => {
    const sent = 400 << 10;
    const slow = Array.from({ length: 5 }, () => promise('/v1/messages', { key: DEMO, sent }));
    const refused: number[] = [];
    // half of 2 MiB is room for two of them
    await new Promise<void>((resolve) => {
      for (const { status } of slow) void status.then((s) => refused.push(s) === 3 && resolve());
    });
    expect(refused).toEqual([503, 503, 503]);
    const large = sms({ metadata: { filler: 'x'.repeat(300 << 10) } });
    const others = await api.call('POST', '/v1/messages', large, { authorization: `Bearer ${OTHER_KEY}` });
    expect(others.status).toBe(422);
    expect((await message(OTHER_KEY)).status).toBe(202);
  });
});

it('a known address answers another method with 405 and those it takes', async () => {
  const allowed = await Promise.all(
    [
      ['/v1/messages', 'PUT'],
      ['/v1/messages/batch', 'DELETE'],
      ['/v1/%6dessages/abc', 'POST'],
      ['/v1/messages/abc/events?x=1', 'PATCH'],
      ['/openapi.json', 'POST'],
      ['/openapi_json', 'POST'],
    ].map(async ([path, method]) => {
      const reply = await fetch(base + path, { method: method as string });
      const problem = (await reply.json()) as { type: string };
      return [reply.status, problem.type, reply.headers.get('allow')];
    }),
  );
  const wrong = '/problems/method-not-allowed';
  expect(allowed).toEqual([
    [405, wrong, 'GET, HEAD, POST'],
    [405, wrong, 'POST'],
    [405, wrong, 'GET, HEAD'],
    [405, wrong, 'GET, HEAD'],
    [405, wrong, 'GET, HEAD'],
    [404, '/problems/not-found', null],
  ]);
});

it('one Idempotency-Key is one request, however its address is spelled', async () => {
  const spelled = (path: string) => api.call('POST', path, sms(), { 'idempotency-key': 'k' });
  const first = await spelled('/v1/messages');
  expect((await spelled('/%761/messages')).json).toEqual(first.json);
  expect(api.records).toHaveLength(1);
});

it('a batch keeps its limit however its address is spelled', async () => {
  const messages = Array.from({ length: 900 }, () => ({ nope: 'x'.repeat(1000) }));
  const reply = await api.call('POST', '/v1/messages/b%61tch', { messages });
  expect([reply.status, reply.json.results.length]).toEqual([422, 900]);
});
