import { createHash } from 'node:crypto';
import type { Catalogue } from '@commservice/contracts';
import type { ControlOrder, LaneControl } from '@commservice/postgres';
import { Readiness, createHttpApp, silentLogger } from '@commservice/telemetry';
import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ControlDesk } from '../controls/control-desk.js';
import { ControlsController } from './controls.controller.js';
import { installOperatorHttp } from './operator-http.js';

const AT = 1_790_000_000_000;
const SINCE = new Date(AT).toISOString();
const keyOf = (id: string, kind: string): object => ({
  ...{ id, team: 'demo', kind, developmentOnly: true },
  sha256: createHash('sha256').update(`${id}-key`).digest('hex'),
});
const catalogue = {
  keys: [keyOf('ops', 'ops'), keyOf('live', 'live')],
  mutex: { default: 'contention', scopes: {} },
} as unknown as Catalogue;

@Module({})
class ControlsModule {}

/** The routes over a store in memory. */
class Harness {
  readonly orders: (ControlOrder & { value?: string })[] = [];
  readonly held = new Map<string, LaneControl>();
  fault: Error | undefined;
  looks = 0;
  private made: NestFastifyApplication | undefined;

  get app(): NestFastifyApplication {
    return this.made as NestFastifyApplication;
  }

  async start(): Promise<void> {
    const desk = new ControlDesk({
      store: {
        set: (order) => {
          this.note(order);
          const { kind, name, value, reason, actor } = order;
          const before = this.held.get(name);
          if (before?.value === value) return Promise.resolve({ control: before, changed: false });
          const control: LaneControl = { kind, name, value, reason, actor, at: AT };
          this.held.set(name, control);
          return Promise.resolve({ control, changed: true });
        },
        clear: (order) => {
          this.note(order);
          const was = this.held.get(order.name);
          this.held.delete(order.name);
          return Promise.resolve({ was, at: AT + 1 });
        },
      },
      controls: { refresh: () => Promise.resolve(++this.looks > 0) },
      ...{ catalogue: () => catalogue, lanes: ['sms:P1', 'sms:P3'], scopes: ['sms-a', 'sms-b'] },
    });
    this.made = await createHttpApp(
      {
        module: ControlsModule,
        controllers: [ControlsController],
        providers: [{ provide: ControlDesk, useValue: desk }],
      },
      { logger: silentLogger, readiness: new Readiness(), metricsText: () => Promise.resolve('') },
      { rawBody: true },
    );
    installOperatorHttp(this.app, { catalogue: () => catalogue, logger: silentLogger });
    await this.app.init();
    await this.app.getHttpAdapter().getInstance().ready();
  }

  reset(): void {
    this.orders.length = 0;
    this.held.clear();
    this.fault = undefined;
    this.looks = 0;
  }

  async call(method: 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown, key = 'ops-key') {
    const reply = await this.app.inject({
      ...{ method, url, headers: key ? { authorization: `Bearer ${key}` } : {} },
      ...(body === undefined ? {} : { payload: body as object }),
    });
    return { status: reply.statusCode, headers: reply.headers, body: reply.json<Record<string, unknown>>() };
  }

  private note(order: ControlOrder): void {
    if (this.fault) throw this.fault;
    this.orders.push(order);
  }
}

const pointers = (body: Record<string, unknown>): string[] =>
  (body['errors'] as { pointer: string }[]).map((e) => e.pointer);

describe('orders of operators', () => {
  const api = new Harness();
  beforeAll(() => api.start());
  beforeEach(() => api.reset());
  afterAll(() => api.app.close());

  it('pause a lane and resume it, and say what holds since when, by whom and why', async () => {
    const paused = await api.call('POST', '/lanes/sms:P3/pause', { reason: ' INC-1 ' });
    expect([paused.status, paused.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(paused.body).toEqual({
      ...{ lane: 'sms:P3', paused: true, since: SINCE, by: 'ops', reason: 'INC-1' },
      says: `Lane sms:P3 and its retry lane are paused since ${SINCE}, by ops: INC-1. Every pod follows within 2 s. What is in the air is settled; the rest waits.`,
    });
    const again = await api.call('POST', '/lanes/sms:P3/pause', { reason: 'INC-2' });
    expect(again.body).toMatchObject({ reason: 'INC-1', says: expect.stringContaining('already') as string });
    const resumed = await api.call('POST', '/lanes/sms:P3/resume', { reason: 'mended' });
    expect(resumed.body).toMatchObject({ paused: false, by: 'ops', reason: 'mended' });
    const once = await api.call('POST', '/lanes/sms:P3/resume', { reason: 'mended' });
    expect(once.body).toEqual({
      lane: 'sms:P3',
      paused: false,
      says: 'Lane sms:P3 was not paused. Nothing changed.',
    });
    expect(api.orders.map((o) => [o.action, o.actor, o.reason])).toEqual([
      ['lane.pause', 'ops', 'INC-1'],
      ['lane.pause', 'ops', 'INC-2'],
      ['lane.resume', 'ops', 'mended'],
      ['lane.resume', 'ops', 'mended'],
    ]);
    expect(api.looks).toBe(4);
  });

  it('set the mode of a scope and give it back to the catalogue', async () => {
    const set = await api.call('PUT', '/scopes/sms-a/mode', { mode: 'strict', reason: 'sale' });
    expect(set.body).toMatchObject({
      scope: 'sms-a',
      mode: 'strict',
      origin: 'operator',
      by: 'ops',
      since: SINCE,
    });
    expect(set.body['says']).toMatch(
      /^Scope sms-a is in mode strict since .* by ops: sale\. Lower classes stand back/,
    );
    const back = await api.call('DELETE', '/scopes/sms-a/mode', { reason: 'over' });
    expect(back.body).toMatchObject({ mode: 'contention', origin: 'catalogue', reason: 'over' });
    const local = await api.call('PUT', '/scopes/sms-b/mode', { mode: 'local', reason: 'one pod' });
    expect(local.body['says']).toMatch(/for one pod only/);
    expect(api.orders.map((o) => o.action)).toEqual(['scope.mode', 'scope.mode.clear', 'scope.mode']);
  });

  it.each([
    ['no key', '', 401],
    ['an unknown key', 'nonsense', 401],
    ['the key of a product team', 'live-key', 403],
  ])('are refused with %s before anything else is looked at', async (_what, key, status) => {
    for (const [method, url] of [
      ['POST', '/lanes/sms:P3/pause'],
      ['POST', '/lanes/nonsense/resume'],
      ['PUT', '/scopes/sms-a/mode'],
      ['DELETE', '/scopes/sms-a/mode'],
    ] as const) {
      const reply = await api.call(method, url, { nonsense: true }, key);
      expect([url, reply.status, reply.headers['content-type']]).toEqual([
        ...[url, status, 'application/problem+json; charset=utf-8'],
      ]);
      expect(reply.body).toMatchObject({ status, instance: url });
    }
    expect(api.orders).toEqual([]);
  });

  it('about an unknown lane or scope name those that there are', async () => {
    const lane = await api.call('POST', '/lanes/sms:P3:retry/pause', { reason: 'r' });
    expect([lane.status, lane.body['detail']]).toEqual([
      404,
      'There is no such lane here; there are sms:P1, sms:P3',
    ]);
    const scope = await api.call('PUT', '/scopes/push-alfa/mode', { mode: 'noop', reason: 'r' });
    expect([scope.status, scope.body['detail']]).toEqual([
      404,
      'There is no such scope here; there are sms-a, sms-b',
    ]);
  });

  it.each([
    ['no body', undefined, ['/mode', '/reason']],
    ['no reason', { mode: 'strict' }, ['/reason']],
    ['an empty reason', { mode: 'strict', reason: '  ' }, ['/reason']],
    ['a reason too long', { mode: 'strict', reason: 'x'.repeat(501) }, ['/reason']],
    ['a reason that is no line of text', { mode: 'strict', reason: 'a\u0000b' }, ['/reason']],
    ['an unknown mode', { mode: 'fair', reason: 'r' }, ['/mode']],
    ['an unknown field', { mode: 'noop', reason: 'r', until: 'noon' }, ['/until']],
    ['a list', [], ['']],
  ])('with %s are refused by the name of the field', async (_what, body, wrong) => {
    const reply = await api.call('PUT', '/scopes/sms-a/mode', body);
    expect([reply.status, pointers(reply.body)]).toEqual([422, wrong]);
    expect(api.orders).toEqual([]);
  });

  it('that are no JSON are refused without being quoted', async () => {
    for (const [type, payload, status] of [
      ['application/json', '{"planted":', 400],
      ['application/x-www-form-urlencoded', 'planted=1', 415],
      ['text/plain', 'planted', 415],
    ] as const) {
      const reply = await api.app.inject({
        ...{ method: 'POST', url: '/lanes/sms:P3/pause', payload },
        headers: { authorization: 'Bearer ops-key', 'content-type': type },
      });
      expect([type, reply.statusCode, reply.body.includes('planted')]).toEqual([type, status, false]);
      expect(reply.headers['content-type']).toContain('application/problem+json');
    }
  });

  it('are answered 503 while PostgreSQL is away, and 500 for a fault of ours, without its words', async () => {
    api.fault = Object.assign(new Error('planted'), { code: 'ECONNREFUSED' });
    const away = await api.call('POST', '/lanes/sms:P3/pause', { reason: 'r' });
    expect([away.status, away.headers['retry-after'], api.looks]).toEqual([503, '1', 0]);
    api.fault = Object.assign(new Error('planted'), { code: '42P01' });
    const ours = await api.call('POST', '/lanes/sms:P3/pause', { reason: 'r' });
    expect([ours.status, JSON.stringify(ours.body).includes('planted')]).toEqual([500, false]);
  });
});
