import type { Account, SendResult } from '@commservice/contracts';
import { AccountState } from './account-state.js';

const error = { code: 'x', message: 'a plain sentence' };

function account() {
  let now = 0;
  const clock = { now: () => now, monotonic: () => now };
  const state = new AccountState('a', { ratePerSecond: 200, inFlight: 40 } as Account, clock);
  const call = (result: SendResult, priority: 'P1' | 'P3' = 'P3') => {
    state.started(priority);
    return state.ended(priority, result, 20);
  };
  return { state, call, pass: (ms: number) => (now += ms) };
}

describe('AccountState', () => {
  it('stands still for a throttle of the account, as long as the vendor says', () => {
    const { state, call, pass } = account();
    expect(call({ kind: 'throttled', scope: 'account', retryAfterMs: 300, error })).toBe(300);
    expect(state.waitMs('P1')).toBe(300);
    pass(300);
    expect(state.waitMs('P1')).toBe(0);
  });

  it.each([
    { kind: 'throttled', scope: 'recipient', retryAfterMs: 60_000, error },
    { kind: 'throttled', scope: 'sender', error },
    { kind: 'misconfigured', scope: 'sender', error },
    { kind: 'rejected', terminalFor: 'message', error },
  ] as const)('goes on after $kind of one record', (result) => {
    const { state, call } = account();
    for (let i = 0; i < 30; i++) expect(call(result)).toBeUndefined();
    expect(state.mayStart('P3')).toBe(true);
    expect(state.down).toBe(false);
  });

  it('does not blame the vendor for faults on our side of the wire', () => {
    const { state, call } = account();
    for (let i = 0; i < 30; i++) call({ kind: 'retryable', error: { ...error, code: 'no_connection' } });
    expect(state.down).toBe(false);
  });

  it('holds P2 and P3 back when the vendor falls silent, but no code', () => {
    const { state, call } = account();
    for (let i = 0; i < 10; i++) call({ kind: 'unknown', error });
    expect(state.mayStart('P3')).toBe(false);
    expect(state.mayStart('P1')).toBe(true);
  });

  it('counts slots over all lanes of a class and leaves half of the calls in the air to P1', () => {
    const { state } = account();
    for (let i = 0; i < 20; i++) state.started('P3');
    expect(state.hasSlot('P3')).toBe(false);
    expect(state.hasSlot('P1')).toBe(true);
    for (let i = 0; i < 20; i++) state.started('P1');
    expect(state.hasSlot('P1')).toBe(false);
  });
});
