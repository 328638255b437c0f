import { worstShare } from './worst-share.js';

const calls = (seconds: number, priorityAt: (s: number) => string): Parameters<typeof worstShare>[0] =>
  Array.from({ length: seconds }, (_, s) => ({ atMs: s * 1_000, units: 1, priority: priorityAt(s) }));

describe('worstShare', () => {
  it('is the share over the whole time where that is short', () => {
    const some = calls(10, (s) => (s % 2 === 0 ? 'P3' : 'P1'));
    expect(worstShare(some, 'P3', { fromMs: 0, toMs: 10_000 })).toEqual({ windowMs: 10_000, share: 0.5 });
  });

  it('finds the worst two minutes wherever they begin', () => {
    const some = calls(400, (s) => (s >= 95 && s <= 230 && s % 50 !== 0 ? 'P1' : 'P3'));
    const { windowMs, share } = worstShare(some, 'P3', { fromMs: 0, toMs: 400_000 });
    expect(windowMs).toBe(120_000);
    expect(share).toBeCloseTo(2 / 120, 2);
  });

  it('begins anew after a silence longer than a window', () => {
    const some = [
      ...calls(3, () => 'P1'),
      ...calls(3, () => 'P3').map((c) => ({ ...c, atMs: c.atMs + 200_000 })),
    ];
    expect(worstShare(some, 'P3', { fromMs: 0, toMs: 400_000 }).share).toBe(0);
  });

  it('knows no share where nothing went', () => {
    expect(worstShare([], 'P3', { fromMs: 0, toMs: 1_000 }).share).toBeNaN();
  });
});
