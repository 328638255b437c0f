import { duration, latencyCell, ratio, tableLines } from './cells.js';

describe('duration', () => {
  it('is in ms below a second and in seconds above', () => {
    expect([7.14, 152.4, 3_460, 34_400, NaN].map(duration)).toEqual(['7.1', '152', '3.5 s', '34 s', '-']);
  });
});

describe('latencyCell', () => {
  it('marks only what can be a lower bound', () => {
    const l = { n: 4, waiting: 2, p50: 5, p95: 20_000, p99: 29_000, max: 29_000, atLeastFromMs: 20_000 };
    expect(latencyCell(l)).toBe('5.0 / ≥ 20 s / ≥ 29 s / ≥ 29 s');
    const { atLeastFromMs: _, ...served } = l;
    expect(latencyCell(served)).not.toContain('≥');
  });
});

describe('ratio', () => {
  it('drops fractions as it grows', () => {
    expect([1.234, 12.34, 2_345.6, NaN].map(ratio)).toEqual(['1.23', '12.3', '2346', '-']);
  });
});

describe('tableLines', () => {
  it('pads every column to its widest cell', () => {
    expect(tableLines(['a', 'long'], [['12', 'x']])).toEqual([
      '| a  | long |',
      '| -- | ---- |',
      '| 12 | x    |',
    ]);
  });
});
