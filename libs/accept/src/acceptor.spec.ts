import fc from 'fast-check';
import { decodeMessage, decodePayload, open, type Catalogue } from '@commservice/contracts';
import {
  NOW,
  accept,
  accepted,
  catalogue,
  dataKey,
  email,
  faults,
  ids,
  messenger,
  push,
  sms,
  trace,
} from '../test/acceptor-fixture.js';

describe('an accepted message', () => {
  it('becomes a record of its lane whose recipient and text exist only sealed', () => {
    const { message, record, event, parts } = accepted(
      accept(sms({ reference: 'login-8841', metadata: { order: '8841' } })),
    );
    expect(record.topic).toBe('commservice.sms.messages.priority1');
    expect(record.headers).toMatchObject({
      'x-cs-id': message.id,
      'x-cs-priority': 'P1',
      'x-cs-schema': 'message.v1',
      ...trace,
    });
    expect(decodeMessage(record.value, 'message.v1')).toEqual({
      kind: 'message',
      message: JSON.parse(JSON.stringify(message)),
    });
    expect(parts).toEqual({ encoding: 'gsm7', parts: 1 });
    const shown = `${record.key} ${record.value.toString()} ${JSON.stringify(event)} ${JSON.stringify(record.headers)}`;
    expect(shown).not.toMatch(/7700900123|481516/);
    const opened = open(message.sealed, { byId: () => dataKey }, message.id);
    expect(opened.kind === 'opened' && decodePayload('sms', opened.text)).toEqual({
      to: { phone: '+447700900123' },
      content: { text: 'Code 481516' },
    });
    expect(ids.verify(message.id, 'demo')).toBe(NOW);
    expect(event).toMatchObject({
      id: message.id,
      status: 'accepted',
      at: NOW,
      traceId: 'a'.repeat(32),
      reference: 'login-8841',
    });
  });

  it.each([
    ['push', push(), 'commservice.push.messages.alfa.priority1'],
    ['email', email(), 'commservice.email.messages.priority1'],
    ['messenger', messenger(), 'commservice.messenger.messages.priority1'],
    ['order', sms({ category: 'order' }), 'commservice.sms.messages.priority2'],
    ['promo', sms({ category: 'promo', brand: 'beta' }), 'commservice.sms.messages.priority3'],
  ])('goes to the topic of its channel, brand and class: %s', (_name, raw, topic) => {
    expect(accepted(accept(raw)).record.topic).toBe(topic);
  });

  it('lives as long as its category says, or as the request asks', () => {
    expect(accepted(accept(sms())).message.expiresAt).toBe(NOW + 180_000);
    expect(accepted(accept(sms({ ttl: 'PT30S' }))).message.expiresAt).toBe(NOW + 30_000);
    expect(accepted(accept(sms({ ttl: 'P3D' }))).message.expiresAt).toBe(NOW + 72 * 3_600_000);
  });

  it('has one record key for all spellings of its recipient', () => {
    const spellings = ['+447700900123', '+44 7700 900123'].map(
      (phone) => accepted(accept(sms({ to: { phone } }))).record.key,
    );
    expect(spellings[0]).toBe(spellings[1]);
    expect(accepted(accept(sms({ to: { phone: '+447700900124' } }))).record.key).not.toBe(spellings[0]);
  });
});

describe('a batch', () => {
  const priority = (raw: unknown, batchSize: number, c = catalogue): string =>
    accepted(accept(raw, { batchSize, catalogue: c })).message.priority;

  it('of 200 recipients is P3, unless its P2 category allows bulk', () => {
    const order = sms({ category: 'order' });
    expect(priority(order, 199)).toBe('P2');
    expect(priority(order, 200)).toBe('P3');
    const bulk: Catalogue = {
      ...catalogue,
      categories: { ...catalogue.categories, order: { ...catalogue.categories['order']!, bulk: true } },
    };
    expect(priority(order, 1000, bulk)).toBe('P2');
    expect(priority(sms({ category: 'promo' }), 1)).toBe('P3');
  });

  it('takes no P1, however small', () => {
    expect(faults(accept(sms(), { batchSize: 1, pointerPrefix: '/messages/0' }))).toEqual([
      '/messages/0/category p1_single_only',
    ]);
  });

  it('lets an item carry its own idempotency key', () => {
    const { message } = accepted(accept(sms({ category: 'order', idempotencyKey: 'o-1' }), { batchSize: 1 }));
    expect(message.idempotencyKey).toBe('o-1');
  });
});

describe('any JSON', () => {
  const json = fc.jsonValue({ maxDepth: 12 });
  const near = fc.record(
    {
      channel: fc.oneof(fc.constantFrom('sms', 'push', 'email', 'messenger'), json),
      brand: fc.oneof(fc.constantFrom('alfa', 'beta', '__proto__', 'toString'), json),
      category: fc.oneof(fc.constantFrom('otp', 'order', 'promo', 'constructor'), json),
      to: fc.oneof(
        fc.record({ phone: fc.string() }),
        fc.record({ email: fc.string() }),
        fc.record({ platform: fc.string(), token: fc.string() }),
        json,
      ),
      content: fc.oneof(
        fc.record({ text: fc.string({ unit: 'binary' }) }),
        fc.record({ title: fc.string(), body: fc.string() }),
        json,
      ),
      ttl: fc.oneof(fc.constantFrom('PT1S', 'P999D', 'PT', 'P'), json),
      metadata: json,
      ['__proto__']: json,
    },
    { requiredKeys: [] },
  );

  it('is accepted or refused, never thrown at, and every refusal names at least one field', () => {
    fc.assert(
      fc.property(fc.oneof(json, near), fc.constantFrom(undefined, 1, 500), (raw, batchSize) => {
        const result = accept(raw, { batchSize });
        if (result.kind === 'refused') expect(result.problem.errors?.length).toBeGreaterThan(0);
        else expect(decodeMessage(result.record.value, 'message.v1').kind).toBe('message');
      }),
      { numRuns: 1000 },
    );
  });

  it('nested beyond all bounds is refused in bounded time', () => {
    let deep: unknown = 'x';
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(faults(accept(sms({ metadata: deep })))).toEqual(
      expect.arrayContaining([expect.stringContaining('too_deep')]),
    );
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`f${i}`, 1]));
    expect(faults(accept(sms(wide)))).toEqual([' too_complex']);
  });
});
