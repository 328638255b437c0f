import { createSecretKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  decodeMessage,
  decodePayload,
  MessageIds,
  open,
  type Catalogue,
  type CatalogueKey,
  type DataKey,
} from '@commservice/contracts';
import { Acceptor, type AcceptContext } from './acceptor.js';
import { readCatalogue } from './catalogue-source.js';
import { P1Ceiling } from './p1-ceiling.js';
import type { AcceptResult } from './result.js';

const NOW = Date.UTC(2026, 10, 30, 10);
const dataKey: DataKey = { id: 'k1', brand: 'alfa', day: '2026-11-30', secret: Buffer.alloc(32, 1) };
const trace = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };

function exampleCatalogue(): Catalogue {
  const text = readFileSync(join(__dirname, '../../../tools/stack/catalogue.yaml'), 'utf8');
  const read = readCatalogue(text, false);
  if (read.kind === 'faulty') throw new Error(read.faults.join());
  return read.catalogue;
}
const catalogue = exampleCatalogue();
const key = catalogue.keys.find((k) => k.kind === 'live') as CatalogueKey;
const ids = new MessageIds(Buffer.alloc(32, 2));

function acceptorOf(options: { keyed?: boolean } = {}): Acceptor {
  const clock = { now: () => NOW + 0.5, monotonic: () => 0 };
  return new Acceptor({
    clock,
    ids,
    keyRing: { current: () => (options.keyed === false ? undefined : dataKey) },
    ceiling: new P1Ceiling({ clock }),
    hashKey: createSecretKey(Buffer.alloc(32, 3)),
  });
}
const context = (more: Partial<AcceptContext> = {}): AcceptContext => ({ catalogue, key, trace, ...more });
const accept = (raw: unknown, more: Partial<AcceptContext> = {}): AcceptResult =>
  acceptorOf().accept(raw, context(more));

const sms = (more: object = {}): Record<string, unknown> => ({
  channel: 'sms',
  brand: 'alfa',
  category: 'otp',
  to: { phone: '+447700900123' },
  content: { text: 'Code 481516' },
  ...more,
});
const push = (more: object = {}): object =>
  sms({
    channel: 'push',
    to: { platform: 'fcm', token: `tok${'0'.repeat(40)}` },
    content: { title: 'Hi', body: 'There' },
    ...more,
  });
const email = (more: object = {}): object =>
  sms({
    channel: 'email',
    to: { email: 'user7@example.test' },
    content: { subject: 'Hi', text: 'There' },
    ...more,
  });
const messenger = (more: object = {}): object =>
  sms({ channel: 'messenger', to: { service: 'telegram', id: '100007' }, content: { text: 'Hi' }, ...more });

function faults(result: AcceptResult): string[] {
  if (result.kind === 'accepted') throw new Error('it was accepted');
  return (result.problem.errors ?? []).map((e) => `${e.pointer} ${e.code}`).sort();
}
function accepted(result: AcceptResult): Extract<AcceptResult, { kind: 'accepted' }> {
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.problem));
  return result;
}

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

describe('a refused message', () => {
  const cases: [string, unknown, string[]][] = [
    ['unknown field', sms({ nope: 1 }), ['/nope unknown_field']],
    ['no recipient', sms({ to: {} }), ['/to/phone required']],
    ['phone too short', sms({ to: { phone: '+4477' } }), ['/to/phone phone_too_short']],
    ['phone in prose', sms({ to: { phone: 'call +447700900123 now' } }), ['/to/phone phone_too_long']],
    ['unknown category', sms({ category: 'vip' }), ['/category unknown_category']],
    ['inherited category', sms({ category: 'constructor' }), ['/category unknown_category']],
    ['unknown brand', sms({ brand: 'nobody' }), ['/brand unknown_brand']],
    ['unknown channel', sms({ channel: 'pigeon' }), ['/channel unknown_channel']],
    ['no channel', { ...sms(), channel: undefined }, ['/channel required']],
    ['priority in the body', sms({ category: 'promo', priority: 'P1' }), ['/priority unknown_field']],
    ['negative ttl', sms({ ttl: '-PT1M' }), ['/ttl ttl_invalid']],
    ['zero ttl', sms({ ttl: 'PT0S' }), ['/ttl ttl_too_short']],
    ['long ttl', sms({ ttl: 'PT73H' }), ['/ttl ttl_too_long']],
    ['numeric ttl', sms({ ttl: 60 }), ['/ttl ttl_invalid']],
    ['empty text', sms({ content: { text: '' } }), ['/content/text empty']],
    ['blank text', sms({ content: { text: ' \n ' } }), ['/content/text empty']],
    ['no content', { ...sms(), content: undefined }, ['/content required']],
    ['seven parts', sms({ content: { text: 'ы'.repeat(403) } }), ['/content/text sms_too_many_parts']],
    ['control character', sms({ content: { text: 'a\u0000b' } }), ['/content/text control_character']],
    ['half a surrogate', sms({ content: { text: 'a\ud800' } }), ['/content/text not_well_formed']],
    ['header injection', email({ to: { email: 'a@x.test\r\nBcc: b@x.test' } }), ['/to/email email_invalid']],
    [
      'subject of two lines',
      email({ content: { subject: 'a\r\nBcc: b@x.test', text: 'x' } }),
      ['/content/subject control_character'],
    ],
    [
      'reading order mark',
      email({ to: { email: 'a@x.test', name: 'a\u202eb' } }),
      ['/to/name bidi_character'],
    ],
    [
      'content of another channel',
      push({ content: { text: 'x' } }),
      ['/content/body required', '/content/text unknown_field', '/content/title required'],
    ],
    [
      'large push',
      push({ content: { title: 'x', body: 'ы'.repeat(2040) } }),
      ['/content push_payload_too_large'],
    ],
    ['unknown platform', push({ to: { platform: 'pager', token: 'x' } }), ['/to/platform unknown_platform']],
    ['an array', [sms()], [' body_not_object']],
    ['null', null, [' body_not_object']],
    ['a string', 'x', [' body_not_object']],
    [
      '__proto__',
      JSON.parse('{"__proto__":{"channel":"sms"}}'),
      [
        '/__proto__ unknown_field',
        '/brand required',
        '/category required',
        '/channel required',
        '/content required',
        '/to required',
      ],
    ],
    [
      '__proto__ in metadata',
      sms({ metadata: JSON.parse('{"__proto__":"x"}') }),
      ['/metadata/__proto__ unknown_field'],
    ],
    ['metadata of objects', sms({ metadata: { a: { b: 1 } } }), ['/metadata/a wrong_type']],
    [
      'a feature not built yet',
      sms({ template: { id: 'x' }, orderKey: 'a' }),
      ['/orderKey unknown_field', '/template unknown_field'],
    ],
    ['an item key outside a batch', sms({ idempotencyKey: 'x' }), ['/idempotencyKey unknown_field']],
  ];
  it.each(cases)('names field and rule: %s', (_name, raw, expected) => {
    const result = accept(raw);
    expect(faults(result)).toEqual(expected);
    expect(result).toMatchObject({ kind: 'refused', status: 422 });
  });

  it('lists all faults at once, shape and meaning alike', () => {
    const raw = sms({
      brand: 'nobody',
      category: 'vip',
      to: { phone: '+4477' },
      content: { text: '' },
      ttl: 'x',
      extra: 1,
    });
    expect(faults(accept(raw))).toEqual([
      '/brand unknown_brand',
      '/category unknown_category',
      '/content/text empty',
      '/extra unknown_field',
      '/to/phone phone_too_short',
      '/ttl ttl_invalid',
    ]);
  });

  it('never repeats a value, even one that was used as a name', () => {
    const raw = sms({
      to: { phone: '+4477' },
      '+447700900123': 'x',
      'a@b.test': 1,
      metadata: { 'secret 481516': 'x' },
      category: 'SECRET',
    });
    expect(JSON.stringify(accept(raw))).not.toMatch(/4477|a@b|481516|SECRET/);
  });

  it('is answered 403 when it is only a question of who may', () => {
    const others: Catalogue = { ...catalogue, brands: [...catalogue.brands, 'gamma'] };
    expect(accept(sms({ brand: 'gamma' }), { catalogue: others })).toMatchObject({
      kind: 'refused',
      status: 403,
    });
    const limited: Catalogue = {
      ...catalogue,
      categories: { ...catalogue.categories, otp: { ...catalogue.categories['otp']!, teams: ['others'] } },
    };
    expect(accept(sms(), { catalogue: limited })).toMatchObject({ kind: 'refused', status: 403 });
  });

  it.each(['team', 'test', 'ops'] as const)('is any message of a %s key', (kind) => {
    expect(accept(sms(), { key: { ...key, kind } })).toMatchObject({ kind: 'refused', status: 403 });
  });

  it('is answered 422 where the category may not use the channel', () => {
    const narrow: Catalogue = {
      ...catalogue,
      categories: { ...catalogue.categories, otp: { ...catalogue.categories['otp']!, channels: ['sms'] } },
    };
    expect(faults(accept(push(), { catalogue: narrow }))).toEqual(['/channel channel_not_allowed']);
  });

  it('is answered 422 when it needs more units than its account may send in a second', () => {
    const slow: Catalogue = {
      ...catalogue,
      accounts: { ...catalogue.accounts, 'sms-a': { ...catalogue.accounts['sms-a']!, ratePerSecond: 2.9 } },
    };
    expect(faults(accept(sms({ content: { text: 'a'.repeat(400) } }), { catalogue: slow }))).toEqual([
      '/content/text units_exceed_rate',
    ]);
    expect(accept(sms({ content: { text: 'a'.repeat(300) } }), { catalogue: slow }).kind).toBe('accepted');
  });

  it('is answered 503 while no data key is loaded', () => {
    expect(acceptorOf({ keyed: false }).accept(sms(), context())).toMatchObject({
      kind: 'refused',
      status: 503,
    });
  });

  it('is answered 429 with the name of the limit above the P1 ceiling, and costs nothing when it is faulty', () => {
    const small: Catalogue = {
      ...catalogue,
      teams: { demo: { brands: ['alfa'], p1: { perSecond: 1, burst: 2 } } },
    };
    const acceptor = acceptorOf();
    const kinds = [sms({ ttl: 'x' }), sms(), sms(), sms()].map((raw) =>
      acceptor.accept(raw, context({ catalogue: small })),
    );
    expect(kinds.map((r) => (r.kind === 'refused' ? r.status : 202))).toEqual([422, 202, 202, 429]);
    expect(kinds[3]).toMatchObject({ problem: { limitName: 'p1-per-team', retryAfterSeconds: 1 } });
    expect(acceptor.accept(sms({ category: 'order' }), context({ catalogue: small })).kind).toBe('accepted');
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
