import { quantiles } from '@commservice/testkit';
import type { Call } from '../client/sandbox.js';
import { acceptedAtMs } from './accepted-at.js';
import { delays } from './delays.js';
import { longestGap } from './longest-gap.js';
import { arrivingAtMost, rateOf, slidingMax } from './rate.js';

const call = (atMs: number, more: Partial<Call> = {}): Call =>
  ({
    atEpochUs: atMs * 1000,
    id: `m${atMs}`,
    account: 'sms-a',
    units: 1,
    outcome: 'accepted',
    lagMs: 0,
    ...more,
  }) as Call;

describe('delays', () => {
  const sent = (id: string, askedAtMs: number) => ({ id, askedAtMs });

  it('goes from the request to the first call that the provider took', () => {
    const calls = [
      call(5, { id: 'a', outcome: 'throttled' }),
      call(10, { id: 'a' }),
      call(30, { id: 'b' }),
      call(40, { id: 'b', outcome: 'duplicate' }),
    ];
    expect(delays([sent('a', 2), sent('b', 20)], calls)).toEqual({
      n: 2,
      p50: 8,
      p95: 10,
      p99: 10,
      max: 10,
      lost: 0,
      doubled: 0,
      repeats: 1,
    });
  });

  it('counts what never came and what was taken twice, and ignores strangers', () => {
    const calls = [
      call(10, { id: 'a' }),
      call(11, { id: 'a' }),
      call(12, { id: 'x' }),
      call(13, { id: 'x' }),
    ];
    expect(delays([sent('a', 0), sent('b', 0)], calls)).toMatchObject({
      n: 1,
      lost: 1,
      doubled: 1,
      repeats: 0,
    });
  });
});

describe('quantiles', () => {
  it('are nearest ranks', () => {
    const values = Array.from({ length: 200 }, (_, i) => 200 - i);
    expect(quantiles(values)).toEqual({ n: 200, p50: 100, p95: 190, p99: 198, max: 200 });
    expect(quantiles([]).p99).toBeNaN();
  });
});

describe('rateOf', () => {
  it('takes the second wherever it begins, in units, of one account', () => {
    const calls = [
      call(0, { units: 3 }),
      call(500),
      call(999, { units: 2 }),
      call(1000),
      call(1100, { account: 'sms-b', units: 9 }),
    ];
    expect(slidingMax(calls, 'sms-a')).toBe(6);
    expect(slidingMax([...calls].reverse(), 'sms-a')).toBe(6);
    expect(slidingMax([], 'sms-a')).toBe(0);
  });

  it('judges no second that ends within one after the sandbox lagged', () => {
    const burst = Array.from({ length: 10 }, (_, i) => call(2000 + i));
    const calls = [
      call(0),
      call(1900, { lagMs: 11 }),
      ...burst,
      call(3500),
      call(3501, { outcome: 'throttled' }),
    ];
    expect(rateOf(calls, 'sms-a')).toEqual({ units: 2, throttled: 1, judged: 3 / 14 });
  });

  it('allows the jitter of arrivals', () => {
    expect(arrivingAtMost(200)).toBe(205);
  });
});

describe('longestGap', () => {
  it('counts both edges', () => {
    const calls = [call(30), call(10), call(500)];
    expect(longestGap(calls, 0, 100)).toBe(70);
    expect(longestGap(calls, 29, 100)).toBe(70);
    expect(longestGap([], 0, 50)).toBe(50);
  });
});

describe('acceptedAtMs', () => {
  it('is the time in the id', () => {
    expect(acceptedAtMs('019ad9b1-7a40-7abc-8def-000000000000')).toBe(0x019ad9b17a40);
  });
});
