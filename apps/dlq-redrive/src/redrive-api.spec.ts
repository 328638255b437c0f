import type { CreateResult } from '@commservice/postgres';
import { ApiHarness, ID, codes, job, letter } from '../test/api-harness.js';

const order = { selector: { ids: [ID] }, reason: 'INC-1' };

describe('the redrive API', () => {
  let api: ApiHarness;

  beforeAll(async () => {
    api = await ApiHarness.start();
  });
  beforeEach(() => api.reset());
  afterAll(() => api.app.close());

  it.each([
    ['no key', '', 401],
    ['an unknown key', 'nonsense', 401],
    ['the key of a product team', 'live-key', 403],
  ])('refuses %s on every path', async (_what, key, status) => {
    for (const [method, url] of [
      ['GET', '/v1/dead-letters'],
      ['GET', `/v1/dead-letters/${ID}`],
      ['POST', '/v1/redrive-jobs'],
      ['GET', '/v1/redrive-jobs'],
      ['GET', `/v1/redrive-jobs/${job.id}`],
      ['POST', `/v1/redrive-jobs/${job.id}/cancel`],
    ] as const) {
      const reply = await api.call(method, url, { key });
      expect([url, reply.status, reply.headers['content-type']]).toEqual([
        url,
        status,
        'application/problem+json; charset=utf-8',
      ]);
      expect(reply.body).toMatchObject({ status, instance: url });
    }
    expect(api.asked).toEqual([]);
  });

  it('shows a dead letter with its context, in the words of the API', async () => {
    const { status, body } = await api.call('GET', `/v1/dead-letters/${ID}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ id: ID, topic: letter.topic, partition: 1, offset: 7, state: 'dead', laneTopic: letter.laneTopic },
      ...{ channel: 'sms', brand: 'alfa', priority: 'P2', generation: 0, code: 'refused', valueBytes: 9 },
      original: { topic: letter.laneTopic, partition: 1, offset: 3, group: 'g' },
      ...{ failedAt: '2026-09-21T14:13:20.000Z', expiresAt: '1970-01-01T00:00:00.001Z', expired: true },
      links: { self: `/v1/dead-letters/${ID}` },
    });
    expect((await api.call('GET', `/v1/dead-letters/${'b'.repeat(32)}`)).status).toBe(404);
  });

  it('lists by filter, and names what is wrong with one', async () => {
    const query =
      'channel=sms&brand=alfa&priority=P2&class=record-fault&code=x&stage=validate&state=dead&limit=5';
    const { body } = await api.call(
      'GET',
      `/v1/dead-letters?${query}&failedFrom=2026-01-01T00:00:00Z&failedTo=2026-01-02T00:00:00Z`,
    );
    expect(body).toMatchObject({ deadLetters: [{ id: ID }], nextCursor: 'n' });
    expect(api.asked[0]).toEqual({
      filter: {
        ...{
          channel: 'sms',
          brand: 'alfa',
          priority: 'P2',
          class: 'record-fault',
          code: 'x',
          stage: 'validate',
          state: 'dead',
        },
        ...{ failedFrom: Date.UTC(2026, 0, 1), failedTo: Date.UTC(2026, 0, 2) },
      },
      page: { limit: 5 },
    });
    const bad = await api.call('GET', '/v1/dead-letters?channel=fax&colour=red&limit=0&failedFrom=yesterday');
    expect(bad.status).toBe(422);
    expect(codes(bad.body).map((c) => (c as string[])[0])).toEqual(
      expect.arrayContaining(['/channel', '/colour', '/limit', '/failedFrom']),
    );
    expect(codes((await api.call('GET', '/v1/dead-letters?cursor=x')).body)).toEqual([
      ['/cursor', 'invalid_format'],
    ]);
  });

  it('starts a job at the default rate, wakes the runner and says where to look', async () => {
    const { status, headers, body } = await api.order(order);
    expect([status, headers.location, api.woken]).toEqual([202, `/v1/redrive-jobs/${job.id}`, 1]);
    expect(body).toMatchObject({
      id: job.id,
      progress: 0.75,
      links: { cancel: `/v1/redrive-jobs/${job.id}/cancel` },
    });
    expect(api.asked[0]).toMatchObject({
      ...{
        requestedBy: 'ops',
        idempotencyKey: 'k1',
        ratePerSecond: 50,
        reason: 'INC-1',
        maxItems: 10,
        selector: { ids: [ID] },
      },
    });
  });

  it('takes the same request in another order for the same', async () => {
    await api.order({ reason: 'r', selector: { filter: { code: 'x', brand: 'alfa' } } });
    await api.order({ selector: { filter: { brand: 'alfa', code: 'x' } }, reason: 'r', ratePerSecond: 50 });
    const digests = (api.asked as { requestDigest: string }[]).map((a) => a.requestDigest);
    expect(digests[0]).toBe(digests[1]);
  });

  it('marks the answer to a repeated request', async () => {
    api.answer = { kind: 'replayed', job };
    const { status, headers } = await api.order(order);
    expect([status, headers['idempotency-replayed'], api.woken]).toEqual([202, 'true', 0]);
  });

  it('needs an Idempotency-Key', async () => {
    const { status, body } = await api.order(order, {});
    expect([status, codes(body)]).toEqual([400, [['', 'idempotency_key_required']]]);
  });

  it.each([
    ['no reason', { selector: { ids: [ID] } }, '/reason'],
    ['an empty reason', { ...order, reason: '  ' }, '/reason'],
    ['a rate above the limit', { ...order, ratePerSecond: 501 }, '/ratePerSecond'],
    ['no selector', { reason: 'r' }, '/selector'],
    ['both selectors', { ...order, selector: { ids: [ID], filter: {} } }, '/selector'],
    ['a malformed id', { ...order, selector: { ids: ['x'] } }, '/selector/ids/0'],
    ['an unknown field', { ...order, priority: 'P1' }, '/priority'],
    ['an unknown filter', { ...order, selector: { filter: { colour: 'red' } } }, '/selector/filter/colour'],
  ])('refuses %s by name', async (_what, body, pointer) => {
    const reply = await api.order(body);
    expect([reply.status, codes(reply.body).map((c) => (c as string[])[0])]).toEqual([422, [pointer]]);
    expect(api.asked).toEqual([]);
  });

  it.each<[CreateResult, unknown]>([
    [{ kind: 'nothing-selected' }, ['/selector', 'nothing_selected']],
    [{ kind: 'key-reused' }, ['', 'idempotency_mismatch']],
    [{ kind: 'unknown-ids', ids: [ID] }, ['/selector/ids/0', 'unknown_dead_letter']],
    [{ kind: 'too-many', maxItems: 10 }, ['/selector', 'too_many_entries']],
  ])('answers 422 when the store says %j', async (result, code) => {
    api.answer = result;
    const reply = await api.order(order);
    expect([reply.status, codes(reply.body)]).toEqual([422, [code]]);
  });

  it('answers 503 while the database is away and 500 for a fault of ours, without its words', async () => {
    api.answer = Object.assign(new Error('planted'), { code: 'ECONNREFUSED' });
    const away = await api.order(order);
    expect([away.status, away.headers['retry-after']]).toEqual([503, '1']);
    api.answer = Object.assign(new Error('planted'), { code: '42P01' });
    const ours = await api.order(order);
    expect([ours.status, JSON.stringify(ours.body).includes('planted')]).toEqual([500, false]);
  });

  it('answers a body that is no JSON with a problem that does not quote it', async () => {
    const reply = await api.app.inject({
      ...{ method: 'POST', url: '/v1/redrive-jobs', payload: '{"planted":' },
      headers: {
        authorization: 'Bearer ops-key',
        'content-type': 'application/json',
        'idempotency-key': 'k',
      },
    });
    expect([reply.statusCode, reply.body.includes('planted')]).toEqual([400, false]);
    expect(reply.headers['content-type']).toContain('application/problem+json');
  });

  it('shows and cancels jobs', async () => {
    expect((await api.call('GET', '/v1/redrive-jobs')).body).toMatchObject({ jobs: [{ id: job.id }] });
    expect((await api.call('GET', `/v1/redrive-jobs/${job.id}`)).body).toMatchObject({
      counters: { produced: 2, pending: 1 },
    });
    expect((await api.call('GET', '/v1/redrive-jobs/nonsense')).status).toBe(404);
    expect((await api.call('POST', `/v1/redrive-jobs/${job.id}/cancel`)).status).toBe(202);
    expect((await api.call('POST', '/v1/redrive-jobs/done/cancel')).status).toBe(409);
    expect((await api.call('POST', '/v1/redrive-jobs/nonsense/cancel')).status).toBe(404);
  });

  it('describes itself for machines and people, without a key', async () => {
    const { status, body } = await api.call('GET', '/openapi.json', { key: '' });
    expect([status, body['openapi']]).toEqual([200, '3.1.0']);
    expect(Object.keys(body['paths'] as object)).toHaveLength(5);
    const names = [...JSON.stringify(body).matchAll(/#\/components\/schemas\/(\w+)/g)].map((m) => m[1]);
    const { schemas } = body['components'] as { schemas: object };
    expect(names.filter((n) => !((n as string) in schemas))).toEqual([]);
    for (const url of ['/docs', '/docs/start.js', '/docs/assets/swagger-ui.css']) {
      expect((await api.app.inject({ method: 'GET', url })).statusCode).toBe(200);
    }
    expect((await api.app.inject({ method: 'GET', url: '/docs/assets/package.json' })).statusCode).not.toBe(
      200,
    );
  });
});
