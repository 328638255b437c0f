import type { Call } from '../client/sandbox.js';
import { StillWaiting } from './still-waiting.js';

const call = (id: string, outcome: Call['outcome'] = 'accepted') => ({ id, outcome });

describe('what still waits', () => {
  it('is what was added and not accepted, whichever came first', () => {
    const calls = [call('before')];
    const waiting = new StillWaiting(calls);
    waiting.add('a');
    waiting.add('b');
    calls.push(call('a', 'throttled'), call('b'), call('c'));
    expect(waiting.count).toBe(1);
    waiting.add('c');
    expect(waiting.count).toBe(1);
    calls.push(call('a'));
    expect(waiting.count).toBe(0);
  });
});
