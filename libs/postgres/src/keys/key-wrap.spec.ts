import { randomBytes } from 'node:crypto';
import { newDataKey, unwrapKey, wrapKey } from './key-wrap.js';

describe('a wrapped data key', () => {
  const master = randomBytes(32);
  const key = newDataKey('alfa', '2026-12-01');

  it('opens with the master key that wrapped it, also when that is a previous one', () => {
    expect(unwrapKey(wrapKey(key, master), [randomBytes(32), master])).toEqual(key);
  });

  it('holds no trace of the secret in clear', () => {
    expect(wrapKey(key, master).wrapped.includes(key.secret)).toBe(false);
  });

  it('does not open with another master key', () => {
    expect(unwrapKey(wrapKey(key, master), [randomBytes(32)])).toBeUndefined();
  });

  it('does not open under another brand or day', () => {
    expect(unwrapKey({ ...wrapKey(key, master), brand: 'beta' }, [master])).toBeUndefined();
    expect(unwrapKey({ ...wrapKey(key, master), day: '2026-12-02' }, [master])).toBeUndefined();
  });

  it('has an id that fits into a sealed value', () => {
    expect(key.id).toMatch(/^[A-Za-z0-9_-]+$/);
  });
});
