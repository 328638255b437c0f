import { HoldView } from './hold-view.js';

describe('HoldView', () => {
  it('keeps one entry a class and pod: each holder ends on its own', () => {
    const view = new HoldView();
    view.extend('P2', 'pod-a', 2000);
    view.extend('P1', 'pod-a', 500);
    view.extend('P1', 'pod-b', 900);
    expect(view.blockedUntil('P2', 0)).toBe(900);
    expect(view.blockedUntil('P3', 0)).toBe(2000);
    expect(view.blockedUntil('P2', 900)).toBe(-Infinity);
  });

  it('never blocks P1, nor a class by itself', () => {
    const view = new HoldView();
    for (const p of ['P1', 'P2', 'P3'] as const) view.extend(p, 'pod-a', 500);
    expect(view.blockedUntil('P1', 0)).toBe(-Infinity);
    expect(view.blockers('P2', 0)).toEqual([{ priority: 'P1', pod: 'pod-a', remainingMs: 500 }]);
  });
});
