import { IngestHarness, sms } from '../../test/ingest-harness.js';

let api: IngestHarness;
beforeEach(async () => {
  api = await (await new IngestHarness().start()).ready();
});
afterEach(() => api.stop());

const promo = (n: number, more: object = {}): object =>
  sms({
    category: 'promo',
    to: { phone: `+4477009${String(n).padStart(5, '0')}` },
    content: { text: `Message ${n}` },
    ...more,
  });
const many = (count: number): object[] => Array.from({ length: count }, (_, i) => promo(i));
const post = (messages: unknown, headers: Record<string, string> = {}) =>
  api.call('POST', '/v1/messages/batch', { messages }, headers);

describe('POST /v1/messages/batch', () => {
  it('answers 202 when all items are accepted, each with an id that is on its topic', async () => {
    const reply = await post(many(1000));
    expect(reply.status).toBe(202);
    expect(reply.json).toMatchObject({ accepted: 1000, rejected: 0 });
    const ids = reply.json.results.map((r) => r.id);
    expect(new Set(ids)).toEqual(new Set(api.lanes.P3.records.map((r) => r.headers?.['x-cs-id'])));
    expect(reply.json.results.map((r) => r.index)).toEqual(many(1000).map((_, i) => i));
  });

  it('answers 207 for a mixture, with a problem for each item that was refused', async () => {
    const reply = await post([promo(1), promo(2, { to: { phone: '+4477' } }), sms(), 'x']);
    expect(reply.status).toBe(207);
    expect(reply.json).toMatchObject({ accepted: 1, rejected: 3 });
    expect(reply.json.results.map((r) => r.status)).toEqual([202, 422, 422, 422]);
    const errors = reply.json.results.slice(1).map((r) => r.problem.errors[0]);
    expect(errors).toMatchObject([
      { pointer: '/messages/1/to/phone', code: 'phone_too_short' },
      { pointer: '/messages/2/category', code: 'p1_single_only' },
      { pointer: '/messages/3', code: 'body_not_object' },
    ]);
  });

  it('refuses an item of a large body that has too many values, and takes the others', async () => {
    const complex = { metadata: Array(50_000).fill({}) };
    const reply = await post([promo(1), complex, promo(2)]);
    expect(reply.json.results.map((r) => r.status)).toEqual([202, 422, 202]);
    expect(reply.json.results[1]?.problem.errors).toMatchObject([
      { pointer: '/messages/1', code: 'too_complex' },
    ]);
  });

  it('answers 422 with a problem when no item is accepted', async () => {
    const reply = await post([promo(1, { nope: 1 }), promo(2, { brand: 'nobody' })]);
    expect([reply.status, reply.type]).toEqual([422, 'application/problem+json; charset=utf-8']);
    expect(reply.json.errors.map((e) => e.pointer)).toEqual(['/messages/0/nope', '/messages/1/brand']);
    expect(reply.json.results).toHaveLength(2);
    expect(api.records).toEqual([]);
  });

  it.each([
    ['no list', {}, '/messages'],
    ['an empty list', { messages: [] }, '/messages'],
    ['1001 items', { messages: Array(1001).fill(null) }, '/messages'],
    ['a list of another type', { messages: 'x' }, '/messages'],
    ['an unknown field', { messages: [promo(1)], atomic: true }, '/atomic'],
    ['an array', [promo(1)], ''],
  ])('answers 422 for %s', async (_name, body, pointer) => {
    const reply = await api.call('POST', '/v1/messages/batch', body);
    expect([reply.status, reply.json.errors[0]?.pointer]).toEqual([422, pointer]);
  });

  it('answers 413 above 5 MiB', async () => {
    expect((await post('x'.repeat(5 << 20))).status).toBe(413);
  });

  it('answers 503 when the broker takes none, and 207 when it takes some', async () => {
    api.lanes.P3.answer = () => ({ kind: 'not-stored', reason: 'x' });
    const none = await post(many(3));
    expect([none.status, none.headers['retry-after'], none.json.results.length]).toEqual([503, '1', 3]);
    let n = 0;
    api.lanes.P3.answer = () =>
      n++ === 1 ? { kind: 'unknown', reason: 'x' } : { kind: 'acked', partition: 0 };
    const some = await post(many(3));
    expect([some.status, some.headers['retry-after']]).toEqual([207, '1']);
    expect(some.json.results.map((r) => r.status)).toEqual([202, 503, 202]);
  });

  it('puts 200 recipients of a P2 category without bulk on the P3 lane', async () => {
    const order = (count: number): object[] =>
      Array.from({ length: count }, (_, i) => promo(i, { category: 'order' }));
    await post(order(199));
    expect([api.lanes.P2.records.length, api.lanes.P3.records.length]).toEqual([199, 0]);
    await post(order(200));
    expect([api.lanes.P2.records.length, api.lanes.P3.records.length]).toEqual([199, 200]);
  });

  it('lets a single message pass while large batches are being worked on', async () => {
    const order: string[] = [];
    const batches = [1, 2, 3].map((n) => post(many(1000)).then(() => order.push(`batch ${n}`)));
    const single = api.call('POST', '/v1/messages', sms()).then((r) => order.push(`single ${r.status}`));
    await Promise.all([...batches, single]);
    expect(order[0]).toBe('single 202');
  });

  it('sends items with one idempotencyKey once, within a batch and over batches', async () => {
    const copies = Array.from({ length: 100 }, () => promo(7, { idempotencyKey: 'promo-7' }));
    const first = await post(copies);
    expect([first.status, api.records.length]).toEqual([202, 1]);
    expect(new Set(first.json.results.map((r) => r.id)).size).toBe(1);
    expect(first.json.results.filter((r) => r.replayed)).toHaveLength(99);
    const second = await post([promo(7, { idempotencyKey: 'promo-7' }), promo(8)]);
    expect(second.json.results[0]).toEqual({ ...first.json.results[0], replayed: true });
    expect(api.records).toHaveLength(2);
  });

  it('refuses another item under a used idempotencyKey, and forgets a key whose item was not stored', async () => {
    const reply = await post([promo(1, { idempotencyKey: 'k' }), promo(2, { idempotencyKey: 'k' })]);
    expect(reply.json.results[1]?.problem.errors[0]).toMatchObject({
      pointer: '/messages/1/idempotencyKey',
      code: 'idempotency_mismatch',
    });
    api.lanes.P3.answer = () => ({ kind: 'not-stored', reason: 'x' });
    expect((await post([promo(3, { idempotencyKey: 'l' })])).status).toBe(503);
    api.lanes.P3.answer = () => ({ kind: 'acked', partition: 0 });
    expect((await post([promo(3, { idempotencyKey: 'l' })])).status).toBe(202);
  });
});
