import { boundMs } from './verdict.js';

describe('boundMs', () => {
  it('allows a quarter over idle when that is more than the token spacing of two pods', () => {
    expect(boundMs(200, 200, 2)).toBe(250);
  });

  it('allows the token spacing and 5 ms over a fast idle', () => {
    expect(boundMs(10, 200, 2)).toBe(35);
  });

  it('never allows more than 100 ms over idle', () => {
    expect(boundMs(1_000, 200, 2)).toBe(1_100);
  });
});
