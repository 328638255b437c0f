import { isNoScript, reasonOf } from './answer.js';

const reply = (message: string): Error => Object.assign(new Error(message), { name: 'ReplyError' });

describe('reasonOf', () => {
  it.each([
    [reply('LOADING Redis is loading the dataset in memory'), 'refused'],
    [reply("READONLY You can't write against a read only replica."), 'refused'],
    [reply('OOM command not allowed'), 'refused'],
    [reply('ERR Error running script'), 'script-error'],
    [reply('WRONGTYPE Operation against a key'), 'script-error'],
    [new Error("Stream isn't writeable and enableOfflineQueue options is false"), 'not-connected'],
    [new Error('Connection is closed.'), 'not-connected'],
    [new Error('read ECONNRESET'), 'connection-lost'],
    ['not an error', 'connection-lost'],
  ])('sorts %s', (error, reason) => {
    expect(reasonOf(error)).toBe(reason);
  });

  it('knows the answer to a script that is not loaded', () => {
    expect(isNoScript(reply('NOSCRIPT No matching script.'))).toBe(true);
    expect(isNoScript(reply('ERR x'))).toBe(false);
  });
});
