import { poissonPausesMs } from './random.js';

const first = (seed: number, perSecond: number, n: number): number[] => {
  const pauses = poissonPausesMs(seed, perSecond);
  return Array.from({ length: n }, () => pauses.next().value);
};

describe('poissonPausesMs', () => {
  it('gives the same pauses for the same seed and others for another', () => {
    expect(first(7, 20, 50)).toEqual(first(7, 20, 50));
    expect(first(7, 20, 50)).not.toEqual(first(8, 20, 50));
  });

  it('keeps the rate and the spread of independent arrivals', () => {
    const pauses = first(1, 50, 20_000);
    const mean = pauses.reduce((a, b) => a + b, 0) / pauses.length;
    const variance = pauses.reduce((sum, p) => sum + (p - mean) ** 2, 0) / pauses.length;
    expect(mean).toBeGreaterThan(19.4);
    expect(mean).toBeLessThan(20.6);
    expect(Math.sqrt(variance) / mean).toBeGreaterThan(0.95);
    expect(Math.sqrt(variance) / mean).toBeLessThan(1.05);
  });
});
