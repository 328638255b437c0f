import { pressAfterMs, pressDelays } from './press.js';

describe('pressDelays', () => {
  const lower = [10, 1_020, 1_040, 1_060, 1_200];

  it('leaves out a P1 that was called in time', () => {
    expect(pressDelays([{ sentMs: 1_000, calledMs: 1_025 }], lower, 25, 9_000)).toEqual([]);
  });

  it('measures from the press to the last lower call before the P1 was called', () => {
    expect(pressDelays([{ sentMs: 1_000, calledMs: 1_100 }], lower, 25, 9_000)).toEqual([35]);
  });

  it('is 0 when the lower classes had stopped', () => {
    expect(pressDelays([{ sentMs: 1_000, calledMs: 1_030 }], [10, 1_020], 25, 9_000)).toEqual([0]);
    expect(pressDelays([{ sentMs: 1_000, calledMs: 1_030 }], [], 25, 9_000)).toEqual([0]);
  });

  it('runs to the end for a P1 that was never called', () => {
    expect(pressDelays([{ sentMs: 1_000, calledMs: undefined }], lower, 25, 9_000)).toEqual([175]);
  });
});

describe('pressAfterMs', () => {
  it('is 25 ms, or two departures of a pod at a low rate', () => {
    expect([pressAfterMs(200, 2), pressAfterMs(5, 2)]).toEqual([25, 800]);
  });
});
