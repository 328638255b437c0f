import fc from 'fast-check';
import { SlidingSecond } from './sliding-second.js';

const calls = fc.array(
  fc.record({ gapUs: fc.integer({ min: 0, max: 400_000 }), units: fc.integer({ min: 1, max: 4 }) }),
  {
    maxLength: 400,
  },
);

describe('the sliding second', () => {
  it('grants exactly what a list of all calls would', () => {
    fc.assert(
      fc.property(calls, fc.integer({ min: 1, max: 300 }), (list, limit) => {
        const window = new SlidingSecond();
        const taken: { atUs: number; units: number }[] = [];
        let atUs = 0;
        for (const { gapUs, units } of list) {
          atUs += Math.floor(gapUs / limit);
          const recent = taken.filter((t) => atUs - t.atUs < 1_000_000).reduce((sum, t) => sum + t.units, 0);
          const granted = window.take(units, limit, atUs) === 0;
          expect(granted).toBe(recent + units <= limit);
          if (granted) taken.push({ atUs, units });
        }
      }),
    );
  });

  it('says when the oldest call leaves', () => {
    const window = new SlidingSecond();
    expect(window.take(1, 1, 1_000)).toBe(0);
    expect(window.take(1, 1, 301_000)).toBe(700_000);
    expect(window.take(1, 1, 1_001_000)).toBe(0);
  });

  it('takes no time over the history', () => {
    const window = new SlidingSecond();
    const started = performance.now();
    for (let i = 0; i < 500_000; i++) window.take(1, 5_000, i * 100);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
