import { IngestHarness, sms } from '../../test/ingest-harness.js';

let api: IngestHarness;
beforeEach(async () => {
  api = await (await new IngestHarness({ maxInFlight: 3 }).start()).ready();
});
afterEach(() => api.stop());

describe('POST /v1/messages', () => {
  it('answers 202 with the address of the message, whose record is on its lane by then', async () => {
    const reply = await api.call('POST', '/v1/messages', sms({ reference: 'login-8841' }));
    expect(reply.status).toBe(202);
    expect(reply.json).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'accepted',
      reference: 'login-8841',
      channel: 'sms',
      brand: 'alfa',
      category: 'otp',
      priority: 'P1',
      units: 1,
      sms: { encoding: 'gsm7', parts: 1 },
      acceptedAt: expect.stringMatching(/Z$/),
      expiresAt: expect.stringMatching(/Z$/),
      links: { self: `/v1/messages/${reply.json.id}`, events: `/v1/messages/${reply.json.id}/events` },
    });
    expect(reply.headers['location']).toBe(`/v1/messages/${reply.json.id}`);
    expect(api.lanes.P1.records.map((r) => [r.topic, r.headers?.['x-cs-id']])).toEqual([
      ['commservice.sms.messages.priority1', reply.json.id],
    ]);
  });

  it('writes the accepted event after the acknowledgement, and does not wait for it', async () => {
    let release: () => void = () => undefined;
    api.events.answer = () =>
      new Promise((resolve) => (release = () => resolve({ kind: 'acked', partition: 0 })));
    const reply = await api.call('POST', '/v1/messages', sms({ category: 'order' }));
    expect([reply.status, api.events.records]).toEqual([202, []]);
    release();
    await new Promise(setImmediate);
    expect(api.events.records.map((r) => [r.topic, r.key])).toEqual([
      ['commservice.events.priority2', reply.json.id],
    ]);
  });

  it('answers 503 with Retry-After when the broker does not take it, and writes no event', async () => {
    api.lanes.P1.answer = () => ({ kind: 'not-stored', reason: 'x' });
    const reply = await api.call('POST', '/v1/messages', sms());
    expect([reply.status, reply.type, reply.headers['retry-after']]).toEqual([
      503,
      'application/problem+json; charset=utf-8',
      '1',
    ]);
    expect(api.events.records).toEqual([]);
  });

  it('answers 503 when the acknowledgement is lost, and says that it may be sent', async () => {
    api.lanes.P1.answer = () => ({ kind: 'unknown', reason: 'x' });
    const reply = await api.call('POST', '/v1/messages', sms());
    expect(reply.status).toBe(503);
    expect(reply.json.detail).toContain('acknowledgement was lost');
  });

  it('answers 503 at once when too many records of the class wait, and takes other classes all the same', async () => {
    api.lanes.P3.answer = () => new Promise(() => undefined);
    const promo = sms({ category: 'promo' });
    for (let i = 0; i < 3; i++) void api.call('POST', '/v1/messages', promo);
    await new Promise(setImmediate);
    expect((await api.call('POST', '/v1/messages', promo)).status).toBe(503);
    expect((await api.call('POST', '/v1/messages', sms())).status).toBe(202);
  });

  it('answers 429 with the name of the limit above the P1 ceiling', async () => {
    api.catalogue.current = {
      ...api.catalogue.current,
      teams: { demo: { brands: ['alfa'], p1: { perSecond: 0.1, burst: 1 } } },
    };
    const first = await api.call('POST', '/v1/messages', sms());
    expect(first.headers).toMatchObject({
      'ratelimit-policy': '"p1-per-team";q=1;w=10',
      ratelimit: '"p1-per-team";r=0;t=10',
    });
    const second = await api.call('POST', '/v1/messages', sms());
    expect([second.status, second.json.limitName, second.headers['retry-after']]).toEqual([
      429,
      'p1-per-team',
      '10',
    ]);
    expect(second.headers['ratelimit']).toBeDefined();
  });

  it('goes on with a valid trace of the client and begins a new one otherwise', async () => {
    const traceId = 'c'.repeat(32);
    const given = { traceparent: `00-${traceId}-${'d'.repeat(16)}-01`, tracestate: 'a=1' };
    const reply = await api.call('POST', '/v1/messages', sms(), given);
    expect(reply.headers['traceparent']).toMatch(new RegExp(`^00-${traceId}-`));
    expect(api.lanes.P1.records[0]?.headers).toMatchObject({
      traceparent: reply.headers['traceparent'],
      tracestate: 'a=1',
    });
    const odd = await api.call('POST', '/v1/messages', sms(), { traceparent: 'garbage' });
    expect(odd.headers['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });
});
