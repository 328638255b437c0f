import fc from 'fast-check';
import { busiestSecond } from './sliding-second.js';

const at = (...times: number[]): { atMs: number; units: number }[] =>
  times.map((atMs) => ({ atMs, units: 1 }));

const most = (calls: { atMs: number; units: number }[]): number => busiestSecond(calls).units;

describe('busiestSecond', () => {
  it('finds the second across the edge of two whole ones', () => {
    expect(most(at(0, 900, 950, 1_050, 1_100, 2_500))).toBe(4);
  });

  it('says when it ended', () => {
    expect(busiestSecond(at(0, 900, 950, 1_050, 1_100, 2_500))).toEqual({ units: 4, endMs: 1_100 });
  });

  it('no longer counts a call that is exactly a second old', () => {
    expect(most(at(0, 1_000))).toBe(1);
    expect(most(at(0, 999.9))).toBe(2);
  });

  it('counts units, not calls', () => {
    expect(most([{ atMs: 0, units: 3 }, { atMs: 10, units: 2 }])).toBe(5); // prettier-ignore
    expect(most([])).toBe(0);
  });

  it('agrees with counting each second by itself', () => {
    const times = fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 60 });
    fc.assert(
      fc.property(times, (some) => {
        const calls = at(...[...some].sort((a, b) => a - b));
        const counts = calls.map(
          ({ atMs: t }) => calls.filter((c) => c.atMs > t - 1_000 && c.atMs <= t).length,
        );
        expect(most(calls)).toBe(Math.max(0, ...counts));
      }),
    );
  });
});
