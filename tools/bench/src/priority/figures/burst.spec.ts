import { burstFigures } from './burst.js';

const contract = { afterMs: 25, endMs: 9_000, ratePerSecond: 100 };
const burst = [
  { sentMs: 1_000, calledMs: 1_010 },
  { sentMs: 1_002, calledMs: 1_500 },
];

describe('burstFigures', () => {
  it('is nothing without a burst', () => {
    expect(burstFigures([], [1], contract)).toBeUndefined();
  });

  it('takes the time to the last code, and the least it can take', () => {
    expect(burstFigures(burst, [], contract)).toMatchObject({ lastCallMs: 500, leastMs: 20 });
  });

  it('counts lower classes from the press to the last code', () => {
    const lower = [990, 1_020, 1_030, 1_055, 1_600];
    expect(burstFigures(burst, lower, contract)).toMatchObject({ lowerAfterPress: 2, lastLowerMs: 30 });
    expect(burstFigures(burst, [1_020], contract)).toMatchObject({ lowerAfterPress: 0, lastLowerMs: 0 });
  });

  it('goes on to the end while one waits', () => {
    const open = [...burst, { sentMs: 1_001, calledMs: undefined }];
    expect(burstFigures(open, [], contract)).toMatchObject({ lastCallMs: 8_000, latency: { waiting: 1 } });
  });
});
