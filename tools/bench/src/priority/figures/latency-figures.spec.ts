import { latencyFigures } from './latency-figures.js';

const journey = (sentMs: number, latencyMs?: number): { sentMs: number; calledMs: number | undefined } => ({
  sentMs,
  calledMs: latencyMs === undefined ? undefined : sentMs + latencyMs,
});

describe('latencyFigures', () => {
  it('takes the time from sent to called', () => {
    const figures = latencyFigures([journey(1_000, 5), journey(2_000, 9), journey(3_000, 7)], 9_000);
    expect(figures).toEqual({ n: 3, waiting: 0, p50: 7, p95: 9, p99: 9, max: 9 });
  });

  it('counts one that was never called with its age, and says from where figures are lower bounds', () => {
    const figures = latencyFigures([journey(1_000, 5), journey(2_000), journey(3_000)], 9_000);
    expect(figures).toMatchObject({ n: 3, waiting: 2, p50: 6_000, max: 7_000, atLeastFromMs: 6_000 });
  });
});
