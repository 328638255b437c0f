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
  it('follows its contract while it runs, within what its connections were built for', () => {
    const { state } = account();
    expect([state.slots('P1'), state.slots('P3'), state.connections]).toEqual([20, 12, 80]);
    const timeoutMs = { P1: 1, P2: 2, P3: 3 };
    const contract = { ratePerSecond: 1_000, inFlight: 100, timeoutMs, idempotent: true } as Account;
    state.follow(contract);
    expect([state.slots('P1'), state.slots('P3')]).toEqual([50, 50]);
    expect(state.account).toMatchObject({ ratePerSecond: 1_000, timeoutMs });
    expect(state.account.idempotent).toBeUndefined(); // its provider was built without
    state.follow({ ...contract, inFlight: 1_000 });
    expect(state.slots('P1')).toBe(state.connections);
    state.follow({ ...contract, inFlight: 4 });
    expect(state.slots('P3')).toBe(2);
  });

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

  const answered = { ...error, status: 503 };

  it.each(['expired', 'timeout', 'no_connection', 'draining', 'aborted'])(
    'tries again after a call that was to try the vendor ended here as %s',
    (code) => {
      const { state, call, pass } = account();
      for (let i = 0; i < 8; i++) call({ kind: 'retryable', error: answered });
      pass(500);
      expect(state.mayStart('P3')).toBe(true);
      call({ kind: 'retryable', error: { ...error, code } });
      expect([state.down, state.mayStart('P3')]).toEqual([true, true]);
      call({ kind: 'accepted', providerIds: [], units: 1, receipt: 'none' });
      expect([state.down, state.mayStart('P3')]).toEqual([false, true]);
    },
  );

  it('tries again after a message that could not be written as a request, and learns nothing from it', () => {
    const { state, call, pass } = account();
    for (let i = 0; i < 8; i++) call({ kind: 'retryable', error: answered });
    pass(500);
    call({ kind: 'rejected', terminalFor: 'message', error: { ...error, code: 'unsendable' } });
    expect([state.down, state.mayStart('P3')]).toEqual([true, true]);
  });

  it('is down when the vendor takes no connection', () => {
    const { state, call } = account();
    for (let i = 0; i < 8; i++)
      call({ kind: 'retryable', error: { ...error, code: 'connect_timeout' } }, 'P1');
    expect(state.down).toBe(true);
    expect(state.waitMs('P1')).toBeLessThanOrEqual(1_000);
  });

  it('is down when the vendor falls silent, and when it fails and hangs by turns', () => {
    const silent = account();
    for (let i = 0; i < 8; i++) silent.call({ kind: 'unknown', error });
    expect(silent.state.down).toBe(true);
    const both = account();
    const results = [
      { kind: 'unknown', error },
      { kind: 'retryable', error: answered },
      { kind: 'unknown', error },
      { kind: 'retryable', error: answered },
      { kind: 'accepted', providerIds: [], units: 1, receipt: 'none' },
    ] as const;
    for (let i = 0; i < 14; i++) both.call(results[i % 5] as SendResult);
    expect(both.state.down).toBe(true);
  });

  const refused: SendResult = {
    kind: 'misconfigured',
    scope: 'account',
    error: { ...error, status: 403, unmapped: true },
  };
  const accepted: SendResult = { kind: 'accepted', providerIds: [], units: 1, receipt: 'none' };

  it('does not stand still for one record that the vendor answers with 403, however often it comes', () => {
    const { state, call, pass } = account();
    for (let i = 0; i < 5; i++) {
      expect(call(refused)).toBeUndefined();
      expect([state.waitMs('P1'), state.waitMs('P3'), state.down]).toEqual([0, 0, false]);
      pass(60_000);
    }
  });

  it('stands still when a second record is answered so, a code for no more than a second', () => {
    const { state, call, pass } = account();
    call(refused);
    expect(call(refused, 'P1')).toBe(1_000);
    expect([state.down, state.waitMs('P3')]).toEqual([true, 1_000]);
    for (let i = 0; i < 3; i++) {
      pass(state.waitMs('P3'));
      call(refused);
    }
    expect([state.waitMs('P3'), state.waitMs('P1')]).toEqual([8_000, 1_000]);
    call(accepted);
    expect([state.down, state.waitMs('P3')]).toEqual([false, 0]);
  });

  it('takes two refused records for no sign when one was accepted between them', () => {
    const { state, call } = account();
    for (let i = 0; i < 5; i++) {
      call(refused);
      call(accepted);
    }
    expect([state.down, state.waitMs('P3')]).toEqual([false, 0]);
  });

  it('believes a code that names the account at once', () => {
    const { state, call } = account();
    call({
      kind: 'misconfigured',
      scope: 'account',
      error: { ...error, code: 'account_suspended', status: 402 },
    });
    expect([state.down, state.waitMs('P3')]).toEqual([true, 1_000]);
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
