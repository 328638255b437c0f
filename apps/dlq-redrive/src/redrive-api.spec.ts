import { createHash } from 'node:crypto';
import type { Catalogue } from '@commservice/contracts';
import type { CreateResult, DeadLetter, RedriveJob } from '@commservice/postgres';
import { Readiness, createHttpApp, silentLogger } from '@commservice/telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { serveDocsAssets } from './docs/docs.controller.js';
import { installHttp } from './http/operator.js';
import { JobDesk } from './redrive-jobs/job-desk.js';
import { RedriveModule } from './redrive.module.js';

const keyOf = (id: string, kind: string) => ({
  ...{
    id,
    team: 'demo',
    kind,
    developmentOnly: true,
    sha256: createHash('sha256').update(`${id}-key`).digest('hex'),
  },
});
const catalogue = { current: { keys: [keyOf('ops', 'ops'), keyOf('live', 'live')] } as unknown as Catalogue };
const ID = 'a'.repeat(32);
const letter: DeadLetter = {
  ...{
    id: ID,
    topic: 'dlq.commservice.sms.messages.priority2',
    partition: 1,
    recordOffset: 7,
    state: 'dead',
  },
  ...{
    laneTopic: 'commservice.sms.messages.priority2',
    channel: 'sms',
    brand: 'alfa',
    priority: 'P2',
    generation: 0,
  },
  ...{
    originalTopic: 'commservice.sms.messages.priority2',
    originalPartition: 1,
    originalOffset: 3,
    originalGroup: 'g',
  },
  ...{ deliveryCount: 1, code: 'refused', failedAt: 1_790_000_000_000, expiresAt: 1, valueBytes: 9 },
};
const job: RedriveJob = {
  ...{
    id: '0b9f8a52-3e7c-4a57-9a34-0f8f6a1f0001',
    requestedBy: 'ops',
    reason: 'INC-1',
    selector: { ids: [ID] },
  },
  ...{ ratePerSecond: 50, state: 'running', createdAt: 1_790_000_000_000 },
  counters: {
    selected: 4,
    produced: 2,
    pending: 1,
    skipped: { expired: 1, gone: 0, already_redriven: 0, unreadable: 0 },
  },
};

describe('the redrive API', () => {
  let app: NestFastifyApplication;
  let answer: CreateResult | Error;
  let asked: unknown[];
  let woken: number;

  beforeAll(async () => {
    const store = {
      create: (request: unknown) => {
        asked.push(request);
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
      cancel: (id: string) =>
        Promise.resolve(
          id === job.id
            ? { kind: 'cancelling' as const, job }
            : id === 'done'
              ? { kind: 'finished' as const, job }
              : { kind: 'unknown' as const },
        ),
      byId: (id: string) => Promise.resolve(id === job.id ? job : undefined),
      list: () => Promise.resolve([job]),
    };
    const letters = {
      byId: (id: string) => Promise.resolve(id === ID ? letter : undefined),
      search: (filter: unknown, page: { cursor?: string }) => {
        asked.push({ filter, page });
        return Promise.resolve(
          page.cursor
            ? { kind: 'invalid-cursor' as const }
            : { kind: 'page' as const, deadLetters: [letter], nextCursor: 'n' },
        );
      },
    };
    const desk = new JobDesk({ store, maxItems: 10, onCreated: () => woken++ });
    const module = RedriveModule.of({ letters: letters as never, jobs: store as never, desk });
    const metricsText = (): Promise<string> => Promise.resolve('');
    app = await createHttpApp(module, { logger: silentLogger, readiness: new Readiness(), metricsText });
    installHttp(app, { catalogue, logger: silentLogger });
    serveDocsAssets(app);
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
  });
  beforeEach(() => {
    answer = { kind: 'created', job };
    asked = [];
    woken = 0;
  });
  afterAll(() => app.close());

  const call = async (
    method: 'GET' | 'POST',
    url: string,
    options: { body?: unknown; key?: string; headers?: object } = {},
  ) => {
    const authorization = options.key === '' ? {} : { authorization: `Bearer ${options.key ?? 'ops-key'}` };
    const reply = await app.inject({
      ...{ method, url, headers: { ...authorization, ...options.headers } },
      ...(options.body === undefined ? {} : { payload: options.body as object }),
    });
    return { status: reply.statusCode, headers: reply.headers, body: reply.json<Record<string, unknown>>() };
  };
  const start = (body: unknown, headers: object = { 'idempotency-key': '"k1"' }) =>
    call('POST', '/v1/redrive-jobs', { body, headers });
  const order = { selector: { ids: [ID] }, reason: 'INC-1' };
  const codes = (body: Record<string, unknown>): unknown[] =>
    (body['errors'] as { pointer: string; code: string }[]).map((e) => [e.pointer, e.code]);

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
      const reply = await call(method, url, { key });
      expect([url, reply.status, reply.headers['content-type']]).toEqual([
        url,
        status,
        'application/problem+json; charset=utf-8',
      ]);
      expect(reply.body).toMatchObject({ status, instance: url });
    }
    expect(asked).toEqual([]);
  });

  it('shows a dead letter with its context, in the words of the API', async () => {
    const { status, body } = await call('GET', `/v1/dead-letters/${ID}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ id: ID, topic: letter.topic, partition: 1, offset: 7, state: 'dead', laneTopic: letter.laneTopic },
      ...{ channel: 'sms', brand: 'alfa', priority: 'P2', generation: 0, code: 'refused', valueBytes: 9 },
      original: { topic: letter.laneTopic, partition: 1, offset: 3, group: 'g' },
      ...{ failedAt: '2026-09-21T14:13:20.000Z', expiresAt: '1970-01-01T00:00:00.001Z', expired: true },
      links: { self: `/v1/dead-letters/${ID}` },
    });
    expect((await call('GET', `/v1/dead-letters/${'b'.repeat(32)}`)).status).toBe(404);
  });

  it('lists by filter, and names what is wrong with one', async () => {
    const query =
      'channel=sms&brand=alfa&priority=P2&class=record-fault&code=x&stage=validate&state=dead&limit=5';
    const { body } = await call(
      'GET',
      `/v1/dead-letters?${query}&failedFrom=2026-01-01T00:00:00Z&failedTo=2026-01-02T00:00:00Z`,
    );
    expect(body).toMatchObject({ deadLetters: [{ id: ID }], nextCursor: 'n' });
    expect(asked[0]).toEqual({
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
    const bad = await call('GET', '/v1/dead-letters?channel=fax&colour=red&limit=0&failedFrom=yesterday');
    expect(bad.status).toBe(422);
    expect(codes(bad.body).map((c) => (c as string[])[0])).toEqual(
      expect.arrayContaining(['/channel', '/colour', '/limit', '/failedFrom']),
    );
    expect(codes((await call('GET', '/v1/dead-letters?cursor=x')).body)).toEqual([
      ['/cursor', 'invalid_format'],
    ]);
  });

  it('starts a job at the default rate, wakes the runner and says where to look', async () => {
    const { status, headers, body } = await start(order);
    expect([status, headers.location, woken]).toEqual([202, `/v1/redrive-jobs/${job.id}`, 1]);
    expect(body).toMatchObject({
      id: job.id,
      progress: 0.75,
      links: { cancel: `/v1/redrive-jobs/${job.id}/cancel` },
    });
    expect(asked[0]).toMatchObject({
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
    await start({ reason: 'r', selector: { filter: { code: 'x', brand: 'alfa' } } });
    await start({ selector: { filter: { brand: 'alfa', code: 'x' } }, reason: 'r', ratePerSecond: 50 });
    const digests = (asked as { requestDigest: string }[]).map((a) => a.requestDigest);
    expect(digests[0]).toBe(digests[1]);
  });

  it('marks the answer to a repeated request', async () => {
    answer = { kind: 'replayed', job };
    const { status, headers } = await start(order);
    expect([status, headers['idempotency-replayed'], woken]).toEqual([202, 'true', 0]);
  });

  it('needs an Idempotency-Key', async () => {
    const { status, body } = await start(order, {});
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
    const reply = await start(body);
    expect([reply.status, codes(reply.body).map((c) => (c as string[])[0])]).toEqual([422, [pointer]]);
    expect(asked).toEqual([]);
  });

  it.each<[CreateResult, unknown]>([
    [{ kind: 'nothing-selected' }, ['/selector', 'nothing_selected']],
    [{ kind: 'key-reused' }, ['', 'idempotency_mismatch']],
    [{ kind: 'unknown-ids', ids: [ID] }, ['/selector/ids/0', 'unknown_dead_letter']],
    [{ kind: 'too-many', maxItems: 10 }, ['/selector', 'too_many_entries']],
  ])('answers 422 when the store says %j', async (result, code) => {
    answer = result;
    const reply = await start(order);
    expect([reply.status, codes(reply.body)]).toEqual([422, [code]]);
  });

  it('answers 503 while the database is away and 500 for a fault of ours, without its words', async () => {
    answer = Object.assign(new Error('planted'), { code: 'ECONNREFUSED' });
    const away = await start(order);
    expect([away.status, away.headers['retry-after']]).toEqual([503, '1']);
    answer = Object.assign(new Error('planted'), { code: '42P01' });
    const ours = await start(order);
    expect([ours.status, JSON.stringify(ours.body).includes('planted')]).toEqual([500, false]);
  });

  it('answers a body that is no JSON with a problem that does not quote it', async () => {
    const reply = await app.inject({
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
    expect((await call('GET', '/v1/redrive-jobs')).body).toMatchObject({ jobs: [{ id: job.id }] });
    expect((await call('GET', `/v1/redrive-jobs/${job.id}`)).body).toMatchObject({
      counters: { produced: 2, pending: 1 },
    });
    expect((await call('GET', '/v1/redrive-jobs/nonsense')).status).toBe(404);
    expect((await call('POST', `/v1/redrive-jobs/${job.id}/cancel`)).status).toBe(202);
    expect((await call('POST', '/v1/redrive-jobs/done/cancel')).status).toBe(409);
    expect((await call('POST', '/v1/redrive-jobs/nonsense/cancel')).status).toBe(404);
  });

  it('describes itself for machines and people, without a key', async () => {
    const { status, body } = await call('GET', '/openapi.json', { key: '' });
    expect([status, body['openapi']]).toEqual([200, '3.1.0']);
    expect(Object.keys(body['paths'] as object)).toHaveLength(5);
    const names = [...JSON.stringify(body).matchAll(/#\/components\/schemas\/(\w+)/g)].map((m) => m[1]);
    const { schemas } = body['components'] as { schemas: object };
    expect(names.filter((n) => !((n as string) in schemas))).toEqual([]);
    for (const url of ['/docs', '/docs/start.js', '/docs/assets/swagger-ui.css']) {
      expect((await app.inject({ method: 'GET', url })).statusCode).toBe(200);
    }
    expect((await app.inject({ method: 'GET', url: '/docs/assets/package.json' })).statusCode).not.toBe(200);
  });
});
