import crypto from 'node:crypto';
import { IngestHarness, sms } from '../../test/ingest-harness.js';
import { BatchSlices } from '../publish/batch-slices.js';
import { BatchTurns } from '../publish/batch-turns.js';
import { batchHash, bodyHash } from './canonical-json.js';

let api: IngestHarness;
beforeEach(async () => {
  api = await (await new IngestHarness().start()).ready();
});
afterEach(() => api.stop());

const post = (body: unknown, key = 'k-1') =>
  api.call('POST', '/v1/messages', body, { 'idempotency-key': key });

describe('Idempotency-Key', () => {
  it('repeats the first answer for the same body, however its fields are ordered', async () => {
    const body = sms();
    const first = await post(body);
    const again = await post(Object.fromEntries(Object.entries(body).reverse()));
    expect([first.status, again.status, again.json]).toEqual([202, 202, first.json]);
    expect([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([
      undefined,
      'true',
    ]);
    expect(again.headers['location']).toBe(first.headers['location']);
    expect(api.records).toHaveLength(1);
  });

  it('is the same quoted or bare', async () => {
    const first = await post(sms(), '"k-2"');
    expect((await post(sms(), 'k-2')).json).toEqual(first.json);
  });

  it('answers 422 for another body and 409 while the first is running', async () => {
    let release: () => void = () => undefined;
    api.lanes.P1.answer = () =>
      new Promise((resolve) => (release = () => resolve({ kind: 'acked', partition: 0 })));
    const first = post(sms());
    await new Promise(setImmediate);
    const during = await post(sms());
    expect([during.status, during.headers['retry-after'], during.type]).toEqual([
      409,
      '1',
      'application/problem+json; charset=utf-8',
    ]);
    release();
    expect((await first).status).toBe(202);
    const other = await post(sms({ reference: 'x' }));
    expect([other.status, other.json.errors[0]?.code]).toEqual([422, 'idempotency_mismatch']);
  });

  it('remembers a refusal of the body, but never a 503 or 429', async () => {
    expect((await post(sms({ nope: 1 }), 'bad')).status).toBe(422);
    expect((await post(sms({ nope: 1 }), 'bad')).headers['idempotency-replayed']).toBe('true');
    api.lanes.P1.answer = () => ({ kind: 'not-stored', reason: 'x' });
    expect((await post(sms(), 'later')).status).toBe(503);
    api.lanes.P1.answer = () => ({ kind: 'acked', partition: 0 });
    expect((await post(sms(), 'later')).status).toBe(202);
  });

  it('lets the key go when the request fails through a fault of ours', async () => {
    api.lanes.P1.answer = () => Promise.reject(new Error('a bug'));
    expect((await post(sms())).status).toBe(500);
    expect(api.idempotency.keys.size).toBe(0);
  });

  it('lets P1 pass while the store is down, and answers 503 for the others', async () => {
    api.idempotency.down = true;
    expect((await post(sms())).status).toBe(202);
    const order = await post(sms({ category: 'order' }));
    expect([order.status, order.headers['retry-after']]).toEqual([503, '1']);
  });

  it.each(['', '"', 'ü', 'x'.repeat(256), 'a b'])('is refused when it is %j', async (key) => {
    expect((await post(sms(), key)).status).toBe(422);
    expect(api.records).toEqual([]);
  });

  it('covers a whole batch', async () => {
    const body = { messages: [sms({ category: 'order' })] };
    const call = () => api.call('POST', '/v1/messages/batch', body, { 'idempotency-key': 'b' });
    expect((await call()).json).toEqual((await call()).json);
    expect(api.records).toHaveLength(1);
  });

  it.each([
    ['1001 items', { messages: Array(1001).fill({}) }],
    ['a million items', `{"messages":[${Array(1_000_000).fill('{}').join(',')}]}`],
    ['an unknown field', { messages: [{}], atomic: true }],
    ['the key twice', `{"messages":[{}],"messages":[${'{},'.repeat(100_000)}{}]}`],
    ['no object', []],
  ])('is not asked about, nor the body hashed, when it is no batch: %s', async (_name, body) => {
    const hashed = jest.spyOn(crypto, 'createHash');
    const begun = jest.spyOn(api.idempotency, 'begin');
    const reply = await api.call('POST', '/v1/messages/batch', body, { 'idempotency-key': 'b' });
    // the one hash is the API key's
    expect([reply.status, hashed.mock.calls.length, begun.mock.calls]).toEqual([422, 1, []]);
    hashed.mockRestore();
  });
});

it('a body hash tells apart what differs in more than order', () => {
  const same = [{ a: 1, b: [1, 2] }, JSON.parse('{"b":[1,2],"a":1}')].map(bodyHash);
  expect(same[0]).toBe(same[1]);
  const others = [
    { a: 1, b: [2, 1] },
    { a: '1', b: [1, 2] },
    {},
    [],
    null,
    'x',
    JSON.parse('{"__proto__":1}'),
    { pairs: [['a', 1]] },
  ].map(bodyHash);
  expect(new Set([same[0], ...others]).size).toBe(9);
});

it('a batch is hashed like its body, with a turn of the event loop between its messages', async () => {
  const messages = Array.from({ length: 300 }, (_, i) =>
    sms({ reference: `r-${i}`, metadata: { b: '1', a: '2' } }),
  );
  let loops = 0;
  let hashing = true;
  const count = (): void => {
    loops += 1;
    if (hashing) setImmediate(count);
  };
  setImmediate(count);
  // every look at the clock finds a slice gone
  let nowMs = 0;
  const slices = new BatchSlices(new BatchTurns(), () => (nowMs += 2));
  const hash = await batchHash(messages, () => slices.pause());
  hashing = false;
  expect(loops).toBeGreaterThanOrEqual(300);
  // the hash of the whole body, as it was first released: keys live for 24 h, over an upgrade
  expect(bodyHash({ messages: messages.slice(0, 9) })).toBe(
    await batchHash(messages.slice(0, 9), () => Promise.resolve()),
  );
  expect(hash).toBe('7b431abf77a69e9308496c3d35a39016e75ab1dc026f33849b0a2a760189c66b');
});

it('a hash reads no more values than a message may have', () => {
  let read = 0;
  const counted = new Proxy(Array<null>(100_000).fill(null), {
    get: (list, at, self) => {
      if (typeof at === 'string' && /^\d+$/.test(at)) read += 1;
      return Reflect.get(list, at, self) as unknown;
    },
  });
  bodyHash({ a: counted, b: counted });
  bodyHash({ a: Array(400).fill({ b: [1, 2, 3] }), c: counted });
  expect(read).toBe(0);
  expect(bodyHash(Array(400).fill(1))).not.toBe(bodyHash(Array(400).fill(2)));
});
