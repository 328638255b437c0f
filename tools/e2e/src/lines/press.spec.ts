import { pressAfterMs, pressDelaysMs } from './press.js';

const call = (id: string, priority: 'P1' | 'P2' | 'P3', atMs: number) => ({
  id,
  priority,
  atEpochUs: atMs * 1000,
});

describe('pressDelaysMs', () => {
  const codes = [{ id: 'a', acceptedAtMs: 100 }];

  it('is the time from the press to the last lower-class call before the code', () => {
    const calls = [call('x', 'P3', 110), call('y', 'P2', 150), call('a', 'P1', 300), call('z', 'P3', 310)];
    expect(pressDelaysMs(codes, calls, 25)).toEqual([25]);
  });

  it('is nothing for a code that did not wait, and 0 when none started after the press', () => {
    expect(pressDelaysMs(codes, [call('a', 'P1', 120), call('x', 'P3', 121)], 25)).toEqual([]);
    expect(pressDelaysMs(codes, [call('x', 'P3', 120), call('a', 'P1', 300)], 25)).toEqual([0]);
  });

  it('goes on for a code that was never sent', () => {
    expect(pressDelaysMs(codes, [call('x', 'P3', 900)], 25)).toEqual([775]);
  });
});

describe('pressAfterMs', () => {
  it('is 25 ms, or two departures of a pod', () => {
    expect([pressAfterMs(200, 2), pressAfterMs(50, 2)]).toEqual([25, 80]);
  });
});
