import type { Catalogue } from '@commservice/contracts';
import { readAddress } from './address.js';
import { readEmail } from './email.js';
import { readMessengerId } from './messenger-id.js';
import { callingCodes, readPhone } from './phone.js';
import { pushTokenFault } from './push-token.js';

const allowed = callingCodes(['GB', 'RU']);

describe('phone numbers', () => {
  it.each([
    ['+447700900123', '+447700900123'],
    ['+447700999999', '+447700999999'],
    ['+44 7700 900123', '+447700900123'],
    ['+44 (7700) 900-123', '+447700900123'],
    ['+79161234567', '+79161234567'],
  ])('takes the possible number %s', (text, e164) => {
    expect(readPhone(text, allowed)).toEqual({ kind: 'phone', e164 });
  });

  it.each([
    ['+4477', 'phone_too_short'],
    ['+79', 'phone_too_short'],
    ['+4477009001234567', 'phone_too_long'],
    ['+447700900123456789012', 'phone_too_long'],
    ['call +447700900123 now', 'phone_too_long'],
    ['call +4477009001', 'phone_format'],
    ['+447700900123;ext=5', 'phone_format'],
    ['+٤٤٧٧٠٠٩٠٠١٢٣', 'phone_format'],
    ['+447700\r\n900123', 'phone_format'],
    ['447700900123', 'phone_not_international'],
    ['07700900123', 'phone_not_international'],
    ['+12025550123', 'phone_country_not_allowed'],
    ['+8816123456789', 'phone_country_not_allowed'],
    ['+9991234567', 'phone_country_not_allowed'],
    ['+448001234567', 'phone_type_refused'],
    ['+449091234567', 'phone_type_refused'],
    ['+443001234567', 'phone_type_refused'],
    ['+447600123456', 'phone_type_refused'],
    ['+442079460000', 'phone_type_refused'],
    ['+78001234567', 'phone_type_refused'],
  ])('refuses %s as %s', (text, code) => {
    expect(readPhone(text, allowed)).toEqual({ kind: 'fault', code });
  });
});

describe('e-mail addresses', () => {
  it('takes a plain address and makes its domain punycode and lower case', () => {
    expect(readEmail('user1@example.test')).toEqual({ kind: 'email', email: 'user1@example.test' });
    expect(readEmail('User@EXAMPLE.Test')).toEqual({ kind: 'email', email: 'User@example.test' });
    expect(readEmail('user@münchen.example')).toEqual({
      kind: 'email',
      email: 'user@xn--mnchen-3ya.example',
    });
  });

  it.each([
    'a@x.test\r\nBcc: b@x.test',
    'a@x.test, b@x.test',
    '"x@evil.example x"@bank.test',
    'a%b@x.test',
    'Name <a@x.test>',
    'a(comment)@x.test',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@1',
    'a@localhost',
    'a@@x.test',
    '@x.test',
    'a@',
    'plain',
    'a b@x.test',
    'a\u0000@x.test',
    'a@x.test/path',
    'a@x.test?cc=b',
    'ü@x.test',
    '.a@x.test',
  ])('refuses %j', (text) => {
    expect(readEmail(text).kind).toBe('fault');
  });
});

describe('push tokens', () => {
  it('takes a token of its platform', () => {
    expect(pushTokenFault('fcm', `tok${'1'.padStart(40, '0')}`)).toBeUndefined();
    expect(pushTokenFault('apns', 'ab'.repeat(32))).toBeUndefined();
    expect(pushTokenFault('webpush', 'https://fcm.googleapis.com/fcm/send/abc')).toBeUndefined();
    expect(pushTokenFault('webpush', 'https://updates.push.services.mozilla.com/wpush/v2/x')).toBeUndefined();
  });

  it.each([
    ['apns', 'zz'.repeat(32)],
    ['apns', 'ab'.repeat(31)],
    ['fcm', 'short'],
    ['fcm', 'with space '.repeat(4)],
    ['hms', 'line\nbreak'.repeat(4)],
    ['webpush', 'https://127.0.0.1/x'],
    ['webpush', 'http://fcm.googleapis.com/x'],
    ['webpush', 'https://fcm.googleapis.com:8443/x'],
    ['webpush', 'https://user:pw@fcm.googleapis.com/x'],
    ['webpush', 'https://fcm.googleapis.com.evil.test/x'],
    ['webpush', 'https://evilpush.apple.com.test/x'],
    ['webpush', 'not a url'],
  ] as const)('refuses for %s %j', (platform, token) => {
    expect(pushTokenFault(platform, token)).toBeDefined();
  });
});

describe('messenger ids', () => {
  it.each([
    ['telegram', '100001'],
    ['telegram', '@some_name'],
    ['vk', '42'],
    ['max', '-1234'],
    ['whatsapp', '+12025550123'],
    ['viber', `${'A'.repeat(22)}==`],
  ] as const)('takes for %s %s', (service, id) => {
    expect(readMessengerId(service, id)).toEqual({ kind: 'id', id });
  });

  it.each([
    ['telegram', 'abc'],
    ['telegram', '0'],
    ['telegram', '1 OR 1=1'],
    ['vk', 'id42'],
    ['whatsapp', '12'],
    ['viber', 'x'],
  ] as const)('refuses for %s %j', (service, id) => {
    expect(readMessengerId(service, id).kind).toBe('fault');
  });
});

it('gives all spellings of one recipient one identity', () => {
  const catalogue = { channels: { sms: { countries: ['GB'] } } } as unknown as Catalogue;
  const identities = ['+447700900123', '+44 7700 900123', '+44 (7700) 900-123'].map((phone) => {
    const read = readAddress('sms', { phone }, catalogue);
    return read.kind === 'address' ? read.identity : read.kind;
  });
  expect(new Set(identities)).toEqual(new Set(['+447700900123']));
});
