import fc from 'fast-check';
import { SlidingLimit, type Charge, type Rank } from './sliding-limit.js';

const WINDOW_MS = 1_000;
const step = fc.record({
  afterMs: fc.constantFrom(0, 1, 20, 130, 500, 1_100),
  units: fc.constantFrom(1, 1, 1, 2, 5),
  rank: fc.constantFrom<Rank>(0, 1, 2),
  then: fc.constantFrom('start', 'start', 'start', 'leave pending', 'cancel', 'start and come back'),
});
const plan = fc.record({
  capacity: fc.constantFrom(0.3, 1, 2.5, 4, 10),
  steps: fc.array(step, { minLength: 1, maxLength: 120 }),
});

/** Most units started in any window, and the largest send. */
function busiest(starts: readonly { atMs: number; units: number }[]): number {
  return Math.max(
    0,
    ...starts.map(({ atMs }) =>
      starts.reduce((n, s) => (s.atMs >= atMs && s.atMs < atMs + WINDOW_MS ? n + s.units : n), 0),
    ),
  );
}

describe('SlidingLimit', () => {
  it('starts no more units in any window than its capacity, whatever is reserved, cancelled and comes back', () => {
    fc.assert(
      fc.property(plan, ({ capacity, steps }) => {
        const limit = new SlidingLimit(WINDOW_MS);
        const starts: { atMs: number; units: number }[] = [];
        const pending: Charge[] = [];
        let now = 0;
        const start = (charge: Charge): void => {
          if (!limit.mayStart(charge, now)) return void pending.push(charge);
          limit.start(charge, now);
          starts.push({ atMs: now, units: charge.units });
        };
        for (const s of steps) {
          now += s.afterMs;
          for (const charge of pending.splice(0)) start(charge);
          if (limit.waitMs(s.units, s.rank, capacity, now) > 0) continue;
          const charge = limit.reserve(s.units, s.rank, capacity);
          if (s.then === 'cancel') limit.cancel(charge);
          else if (s.then === 'leave pending') pending.push(charge);
          else start(charge);
          if (s.then === 'start and come back' && charge.startedAtMs !== undefined) {
            limit.restart(charge);
            starts.pop();
            start(charge);
          }
        }
        const largest = Math.max(0, ...starts.map((s) => s.units));
        expect(busiest(starts)).toBeLessThanOrEqual(Math.max(capacity, largest) + 1e-9);
      }),
    );
  });

  it('says exactly when the next may go, and lets a send above the capacity pass at the price of its size', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(0.5, 1, 3, 10),
        fc.array(fc.constantFrom(1, 2, 7), { minLength: 1, maxLength: 60 }),
        (capacity, sends) => {
          const limit = new SlidingLimit(WINDOW_MS);
          let now = 0;
          for (const units of sends) {
            const waitMs = limit.waitMs(units, 2, capacity, now);
            if (waitMs > 1) expect(limit.waitMs(units, 2, capacity, now + waitMs - 1)).toBeGreaterThan(0);
            now += waitMs;
            expect(limit.waitMs(units, 2, capacity, now)).toBe(0);
            limit.start(limit.reserve(units, 2, capacity), now);
          }
          const total = sends.reduce((a, b) => a + b, 0);
          const last = sends.at(-1) as number;
          expect(now / WINDOW_MS).toBeGreaterThanOrEqual(
            (total - last) / capacity - Math.max(1, 7 / capacity),
          );
          expect(limit.isIdle(now + WINDOW_MS * Math.max(1, 7 / capacity))).toBe(true);
        },
      ),
    );
  });

  it('reserves no more than may start, and lets nothing pending keep a more urgent class waiting', () => {
    const limit = new SlidingLimit(WINDOW_MS);
    const low = [limit.reserve(1, 2, 2), limit.reserve(1, 2, 2)];
    expect(limit.waitMs(1, 2, 2, 0)).toBeGreaterThan(0);
    expect(limit.waitMs(1, 1, 2, 0)).toBe(0);
    for (let i = 0; i < 2; i++) limit.start(limit.reserve(1, 1, 2), 10);
    expect(low.map((charge) => limit.mayStart(charge, 20))).toEqual([false, false]);
    expect(low.map((charge) => limit.mayStart(charge, 1_010))).toEqual([true, true]);
  });
});
