import { bullConnection, bullLimiter, jobOptions } from './bull-settings.js';

describe('BullMQ settings', () => {
  it('gives every class a priority, for a job without one goes before all others', () => {
    const given = (['P1', 'P2', 'P3'] as const).map((p) => jobOptions(p).priority as number);
    expect(given).toEqual([1, 2, 3]);
  });

  it.each([
    [200, { max: 20, duration: 100 }],
    [2_000, { max: 200, duration: 100 }],
    [50, { max: 5, duration: 100 }],
    [5, { max: 1, duration: 200 }],
  ])('limits to R = %d a second', (rate, limiter) => {
    expect(bullLimiter(rate)).toEqual(limiter);
  });

  it('takes host and port out of the URL', () => {
    expect(bullConnection('redis://127.0.0.1:16379')).toMatchObject({ host: '127.0.0.1', port: 16379 });
  });
});
