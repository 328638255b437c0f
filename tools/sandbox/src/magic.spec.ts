import { MAGIC, magicOf } from './magic.js';

describe('magic recipients', () => {
  it.each(Object.entries(MAGIC))('end in %s to %s, on every channel', (digits, effect) => {
    expect(magicOf({ phone: `+7900555${digits}` })).toBe(effect);
    expect(magicOf({ platform: 'fcm', token: `anything:deadbeef${digits}` })).toBe(effect);
    expect(magicOf({ platform: 'apns', token: `${'0'.repeat(52)}deadbeef${digits}` })).toBe(effect);
    expect(magicOf({ email: `magic-${digits}@mail.example` })).toBe(effect);
    expect(magicOf({ service: 'telegram', id: `7900555${digits}` })).toBe(effect);
  });

  it.each([
    { phone: '+447700900403' },
    { phone: '+79005550999' },
    { phone: '+79005560403' },
    { platform: 'fcm', token: 'tok0000000403' },
    { email: 'not-magic-0403@mail.example' },
    { service: 'telegram', id: '100403' },
    {},
    null,
    'x',
  ])('leave %j alone', (to) => {
    expect(magicOf(to)).toBeUndefined();
  });
});
