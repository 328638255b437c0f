import type { Account, Priority, SendResult } from '@commservice/contracts';
import { AccountState } from './account/account-state.js';
import { Routes } from './routes.js';

const account = (name: string, clock: { monotonic(): number; now(): number }): AccountState =>
  new AccountState(
    name,
    { ratePerSecond: 200, inFlight: 8, timeoutMs: { P1: 1, P2: 1, P3: 1 }, idempotent: true } as Account,
    clock,
  );
const failed: SendResult = { kind: 'retryable', error: { code: 'http_503', message: '' } };
const silent: SendResult = { kind: 'unknown', error: { code: 'timeout', message: '' } };
const message = { message: { kind: 'message' as const }, avoid: 0, route: 0 };

function rig(priority: Priority = 'P1') {
  const state = { now: 0 };
  const clock = { now: () => state.now, monotonic: () => state.now };
  const [a, b] = [account('a', clock), account('b', clock)];
  const end = (to: AccountState, result: SendResult, times = 1): void => {
    for (let i = 0; i < times; i++) {
      to.started(priority);
      to.ended(priority, result, 20);
    }
  };
  return { state, a, b, end, routes: new Routes(priority, [a, b]), lone: new Routes(priority, [a]) };
}

describe('Routes', () => {
  it('keeps to its own account while that is well', () => {
    expect(rig().routes.choose(message)).toEqual({ kind: 'go', route: 0 });
  });

  it('sends a record that its account just failed to the other, and the next one to its own again', () => {
    const { routes } = rig();
    expect(routes.another(message)).toBe(true);
    expect(routes.choose({ ...message, avoid: 0b01 })).toEqual({ kind: 'go', route: 1 });
    expect(routes.choose(message)).toEqual({ kind: 'go', route: 0 });
  });

  it('sends all to the other while its own throttles, fails or has no slot', () => {
    const throttled = rig();
    throttled.end(throttled.a, { kind: 'throttled', scope: 'account', retryAfterMs: 500 } as SendResult);
    expect(throttled.routes.choose(message)).toEqual({ kind: 'go', route: 1 });
    throttled.state.now = 501;
    expect(throttled.routes.choose(message)).toEqual({ kind: 'go', route: 0 });
    const failing = rig();
    failing.end(failing.a, failed, 8);
    expect(failing.routes.choose(message)).toEqual({ kind: 'go', route: 1 });
    const full = rig();
    for (let i = 0; i < 4; i++) full.a.started('P1');
    expect(full.routes.choose(message)).toEqual({ kind: 'go', route: 1 });
  });

  it('leaves it to heartbeats to ask a silent account', () => {
    const { routes, a, end } = rig();
    end(a, silent, 8);
    expect(routes.choose(message)).toEqual({ kind: 'go', route: 1 });
    expect(routes.choose({ ...message, message: { kind: 'heartbeat' } })).toEqual({ kind: 'go', route: 0 });
  });

  it('goes on with what may start when every account failed it, and waits for the first that is back', () => {
    const r = rig();
    expect(r.routes.choose({ ...message, avoid: 0b11 })).toEqual({ kind: 'go', route: 0 });
    expect(r.routes.another({ ...message, avoid: 0b10 })).toBe(false);
    r.end(r.a, { kind: 'throttled', scope: 'account', retryAfterMs: 500 } as SendResult);
    r.end(r.b, { kind: 'throttled', scope: 'account', retryAfterMs: 300 } as SendResult);
    expect(r.routes.choose(message)).toEqual({ kind: 'wait', cause: 'provider', waitMs: 300 });
  });

  it('has nowhere else to go with one account: a silent one is still asked', () => {
    const { lone, a, end } = rig();
    end(a, silent, 8);
    expect(lone.another(message)).toBe(false);
    expect(lone.choose(message)).toEqual({ kind: 'go', route: 0 });
  });
});
