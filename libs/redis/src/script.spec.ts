import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ANY_KEYS, loadLua, sha1Of } from './script.js';

describe('loadLua', () => {
  const dir = mkdtempSync(join(tmpdir(), 'lua-'));
  afterAll(() => rmSync(dir, { recursive: true }));

  it('reads name and number of keys from the file name', () => {
    writeFileSync(join(dir, 'take-lease-2.lua'), 'return 1');
    writeFileSync(join(dir, 'claim-n.lua'), 'return 2');
    expect(loadLua(dir, 'take-lease-2.lua')).toEqual({ name: 'take-lease', keys: 2, source: 'return 1' });
    expect(loadLua(dir, 'claim-n.lua')).toMatchObject({ name: 'claim', keys: ANY_KEYS });
  });

  it.each(['claim.lua', 'claim-1.txt', '../x-1.lua', 'Claim-1.lua'])('refuses the file name %s', (file) => {
    expect(() => loadLua(dir, file)).toThrow('number of keys');
  });

  it('knows a script by the sum Redis computes', () => {
    expect(sha1Of({ name: 'x', keys: 0, source: 'return 1' })).toBe(
      'e0e1f9fabfc9d4800c877a703b823ac0578ff8db',
    );
  });
});
