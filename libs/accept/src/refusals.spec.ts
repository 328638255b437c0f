import type { Catalogue } from '@commservice/contracts';
import {
  accept,
  acceptorOf,
  catalogue,
  context,
  email,
  faults,
  key,
  push,
  sms,
} from '../test/acceptor-fixture.js';

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
