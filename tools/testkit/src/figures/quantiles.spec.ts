import { quantiles } from './quantiles.js';

describe('quantiles', () => {
  it('takes the nearest rank', () => {
    const values = Array.from({ length: 100 }, (_, i) => 100 - i);
    expect(quantiles(values)).toEqual({ n: 100, p50: 50, p95: 95, p99: 99, max: 100 });
  });

  it('takes the only value for every rank', () => {
    expect(quantiles([7])).toEqual({ n: 1, p50: 7, p95: 7, p99: 7, max: 7 });
  });

  it('has none of an empty set', () => {
    expect(quantiles([])).toEqual({ n: 0, p50: NaN, p95: NaN, p99: NaN, max: NaN });
  });
});
