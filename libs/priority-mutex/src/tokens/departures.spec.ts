import fc from 'fast-check';
import { Departures, type Unit } from './departures.js';

const slots = (...dueMs: number[]) =>
  dueMs.map((due, i) => ({ slot: i, dueMs: due, priority: 'P3' as const, minimumShare: false }));
const none = [0, 0, 0];

describe('Departures', () => {
  it('hands nothing out before it is due, and lets it lapse after 20 ms', () => {
    const d = new Departures(20);
    d.add(slots(10, 40), 1);
    d.advance(9, false, 1, none);
    expect(d.readyUnits).toBe(0);
    d.advance(30, false, 1, none);
    expect(d.readyUnits).toBe(1);
    d.advance(31, false, 1, none);
    expect([d.readyUnits, d.lapsed]).toEqual([0, 1]);
  });

  it('sets units aside for a send that waits for its last one', () => {
    const d = new Departures(20);
    d.add(slots(0, 100, 200), 1);
    d.advance(200, false, 3, none);
    expect(d.takeReady(3, 200)).toHaveLength(3);
  });

  it('lets a whole set lapse 20 ms after its last unit', () => {
    const d = new Departures(20);
    d.add(slots(0, 100, 200), 1);
    d.advance(221, false, 3, none);
    expect([d.readyUnits, d.lapsed]).toEqual([2, 1]);
  });

  it('fills the standing stock first and then overflows', () => {
    const d = new Departures(20);
    d.standing.allow(2);
    d.add(slots(0, 1, 2, 3), 1);
    d.advance(3, true, 1, none);
    expect([d.standing.size, d.readyUnits]).toEqual([2, 2]);
  });

  it('takes a unit back once, and only while it is not late', () => {
    const d = new Departures(20);
    d.add(slots(0, 5), 1);
    d.advance(5, false, 1, none);
    const units = d.takeReady(2, 5);
    d.putBack(units, 22);
    expect([d.readyUnits, d.lapsed]).toEqual([1, 1]);
  });

  it('conserves units: each is used, lapsed, released or still held', () => {
    const step = fc.record({
      ms: fc.nat(40),
      op: fc.constantFrom('p1', 'low', 'back', 'release', 'none'),
      gather: fc.integer({ min: 0, max: 4 }),
      refill: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(fc.nat(400), { maxLength: 60 }),
        fc.array(step, { maxLength: 40 }),
        (due, steps) => {
          const d = new Departures(20);
          d.standing.allow(3);
          d.add(slots(...due), 1);
          let [now, used, released] = [0, 0, 0];
          let last: Unit[] = [];
          for (const s of steps) {
            now += s.ms;
            d.advance(now, s.refill, s.gather, none);
            if (s.op === 'release') released += d.surplus(2, 1, now + 4).length;
            if (s.op === 'back') {
              d.putBack(last, now);
              used -= last.length;
              last = [];
            }
            if (s.op === 'p1' || s.op === 'low') {
              last = s.op === 'p1' ? d.takeP1(1, now) : d.takeReady(1, now);
              used += last.length;
            }
            // A standing token that comes back to a full stock is dropped: at most those taken.
            const held = d.pendingUnits + d.readyUnits + d.standing.size;
            expect(held + used + released + d.lapsed).toBeLessThanOrEqual(due.length);
          }
        },
      ),
    );
  });
});
