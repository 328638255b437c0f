import { luaScripts } from './lua.js';

const HEADER = '--[[ Adds.\n  KEYS[1] sum\n  ARGV[1] amount, units\n  Returns the sum ]]\n';
const BODY = `return redis.call('INCRBY', KEYS[1], ARGV[1])`;
const messages = (path: string, text: string) => luaScripts([{ path, text }]).map((f) => f.message);

describe('luaScripts', () => {
  it('takes a script that is named and headed', () => {
    expect(messages('lua/add-1.lua', HEADER + BODY)).toEqual([]);
    expect(messages('lua/add-n.lua', HEADER + BODY)).toEqual([]);
  });

  it('wants the number of keys in the name, and the right one', () => {
    expect(messages('lua/add.lua', HEADER + BODY)).toHaveLength(1);
    expect(messages('lua/add-2.lua', HEADER + BODY)).toEqual(['uses 1 keys, but its name says 2']);
  });

  it('wants the header, whole', () => {
    expect(messages('lua/add-1.lua', BODY).map((m) => m.split(' ')[3])).toEqual(['KEYS', 'Returns', 'ARGV']);
    expect(messages('lua/add-1.lua', HEADER.replace('Returns', 'Gives') + BODY)).toHaveLength(1);
  });
});
