import { clockFault } from './clock-fault.js';

describe('clockFault', () => {
  it('is silent within a second either way', () => {
    expect([0, 1_000, -1_000].map((aheadMs) => clockFault(aheadMs, -aheadMs))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('says how far off the clock is, and where', () => {
    expect(clockFault(5_000)).toBe("this machine's clock is 5.0 s ahead of the platform's");
    expect(clockFault(-1_240)).toBe("this machine's clock is 1.2 s behind the platform's");
    expect(clockFault(0, 240_000)).toBe("the coordinator's clock is 240.0 s ahead of all others");
  });
});
