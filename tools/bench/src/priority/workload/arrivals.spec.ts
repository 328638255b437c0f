import fc from 'fast-check';
import { arrivals, poisson } from './arrivals.js';

describe('poisson', () => {
  it('gives the same times for the same seed and others for another', () => {
    expect(poisson(7, 20, 20)).toEqual(poisson(7, 20, 20));
    expect(poisson(7, 20, 20)).not.toEqual(poisson(8, 20, 20));
  });

  it('keeps the rate and the spread of independent arrivals', () => {
    const times = poisson(1, 50, 400);
    const gaps = times.map((t, i) => t - (times[i - 1] ?? 0));
    const mean = gaps.reduce((a, b) => a + b, 0) / gaps.length;
    const variance = gaps.reduce((sum, g) => sum + (g - mean) ** 2, 0) / gaps.length;
    expect(mean).toBeGreaterThan(19);
    expect(mean).toBeLessThan(21);
    expect(Math.sqrt(variance) / mean).toBeGreaterThan(0.95);
    expect(Math.sqrt(variance) / mean).toBeLessThan(1.05);
  });

  it('stays inside the phase and in order', () => {
    fc.assert(
      fc.property(fc.integer(), fc.double({ min: 0.1, max: 300, noNaN: true }), (seed, perSecond) => {
        const times = poisson(seed, perSecond, 2);
        expect(times.every((t, i) => t >= (times[i - 1] ?? 0) && t < 2_000)).toBe(true);
      }),
    );
  });
});

describe('arrivals', () => {
  it('mixes the classes in order of time, each with arrivals of its own', () => {
    const all = arrivals(3, { P1: 20, P2: 20 }, 5);
    expect(all.map((a) => a.atMs)).toEqual(all.map((a) => a.atMs).sort((a, b) => a - b));
    const of = (priority: string): number[] => all.filter((a) => a.priority === priority).map((a) => a.atMs);
    expect(of('P1')).not.toEqual(of('P2'));
    expect(of('P3')).toEqual([]);
  });
});
