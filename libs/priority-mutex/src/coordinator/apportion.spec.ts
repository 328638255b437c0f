import fc from 'fast-check';
import { apportion, fairPart } from './apportion.js';
import type { Triple } from './scope-state.js';

const SHARES: Triple = [0.2, 0.3, 0.5];
const amount = fc.double({ min: 0, max: 500, noNaN: true });

describe('apportion', () => {
  it('gives each class its share when all want more', () => {
    expect(apportion(100, [500, 500, 500], SHARES)).toEqual([20, 30, 50]);
  });

  it('lends what a class leaves to the most urgent that wants it', () => {
    expect(apportion(100, [0, 500, 500], SHARES)).toEqual([0, 50, 50]);
    expect(apportion(100, [5, 10, 500], SHARES)).toEqual([5, 10, 85]);
  });

  it('never gives more than wanted or than there is, and leaves nothing over that is wanted', () => {
    fc.assert(
      fc.property(amount, fc.tuple(amount, amount, amount), (capacity, wanted) => {
        const got = apportion(capacity, wanted, SHARES);
        const sum = got[0] + got[1] + got[2];
        got.forEach((g, c) => expect(g).toBeLessThanOrEqual((wanted[c] as number) + 1e-9));
        expect(sum).toBeCloseTo(Math.min(capacity, wanted[0] + wanted[1] + wanted[2]), 6);
      }),
    );
  });
});

describe('fairPart', () => {
  it('meets small wishes in full and divides the rest equally', () => {
    expect([2, 50, 50].map((own) => fairPart(62, [2, 50, 50], own))).toEqual([2, 30, 30]);
  });

  it('divides everything that is wanted and no more', () => {
    fc.assert(
      fc.property(amount, fc.array(amount, { minLength: 1, maxLength: 6 }), (capacity, wishes) => {
        const sum = wishes.reduce((total, own) => total + fairPart(capacity, wishes, own), 0);
        expect(sum).toBeCloseTo(
          Math.min(
            capacity,
            wishes.reduce((a, b) => a + b, 0),
          ),
          6,
        );
      }),
    );
  });
});
