import { DEFAULT_TIMING, minimumShareAfterMs } from './timing.js';

describe('when a minimum share begins', () => {
  it.each([
    [60_000, 57_000],
    [10_000, 9_500],
    [1_000, 750],
  ])('is early enough that a block of %d ms is never longer', (maxBlockMs, afterMs) => {
    const timing = { ...DEFAULT_TIMING, maxBlockMs };
    expect(minimumShareAfterMs(timing)).toBe(afterMs);
    expect(afterMs + timing.tickMs + timing.horizonMs).toBeLessThanOrEqual(maxBlockMs);
  });
});
