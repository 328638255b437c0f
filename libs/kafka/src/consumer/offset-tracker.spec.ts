import fc from 'fast-check';
import { OffsetTracker } from './offset-tracker.js';

describe('OffsetTracker', () => {
  it('commits nothing while the first record has no outcome', () => {
    const tracker = new OffsetTracker();
    tracker.register(10);
    tracker.register(11);
    tracker.settle(11);
    expect(tracker.committable).toBe(10);
    tracker.settle(10);
    expect(tracker.committable).toBe(12);
  });

  it('passes offsets that were never delivered, up to the end of the batch', () => {
    const tracker = new OffsetTracker();
    tracker.register(3);
    tracker.register(7); // 4 to 6 are transaction markers or compacted
    tracker.registerEnd(9);
    tracker.settle(3);
    expect(tracker.committable).toBe(4);
    tracker.settle(7);
    expect(tracker.committable).toBe(9);
  });

  it('recognises a record that was settled in an earlier ownership, and does not hand it on again', () => {
    const tracker = new OffsetTracker();
    for (const offset of [0, 1, 2]) tracker.register(offset);
    tracker.settle(1);
    tracker.restart();
    tracker.settle(2); // was in the air while the partition was given up
    expect([0, 1, 2].map((offset) => tracker.register(offset))).toEqual([true, false, false]);
    tracker.settle(0);
    expect(tracker.committable).toBe(3);
  });

  it('never passes an open record, never goes back, and ends behind the last one, in any order of settling', () => {
    fc.assert(
      fc.property(
        fc
          .uniqueArray(fc.nat(500), { minLength: 1, maxLength: 60 })
          .map((offsets) => offsets.sort((a, b) => a - b)),
        fc.infiniteStream(fc.nat()),
        (offsets, dice) => {
          const tracker = new OffsetTracker();
          for (const offset of offsets) tracker.register(offset);
          const open = [...offsets];
          let last = tracker.committable as number;
          while (open.length > 0) {
            const [settled] = open.splice((dice.next().value as number) % open.length, 1) as [number];
            tracker.settle(settled);
            const now = tracker.committable as number;
            expect(now).toBeGreaterThanOrEqual(last);
            expect(open.every((offset) => offset >= now)).toBe(true);
            last = now;
          }
          expect(last).toBe((offsets.at(-1) as number) + 1);
          expect(tracker.openCount).toBe(0);
        },
      ),
    );
  });

  it('loses and repeats nothing over any sequence of fetches, settlements and restarts', () => {
    const command = fc.oneof(
      fc.record({ do: fc.constant('settle' as const), at: fc.nat() }),
      fc.constant({ do: 'restart' as const, at: 0 }),
      fc.record({ do: fc.constant('fetch' as const), at: fc.integer({ min: 1, max: 5 }) }),
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 80 }), (commands) => {
        const tracker = new OffsetTracker();
        let committed = 0;
        let position = 0;
        const handed = new Map<number, number>();
        const inAir: number[] = [];
        const settled = new Set<number>();
        for (const c of commands) {
          if (c.do === 'fetch') {
            for (let i = 0; i < c.at; i++, position++) {
              if (!tracker.register(position)) continue;
              handed.set(position, (handed.get(position) ?? 0) + 1);
              inAir.push(position);
              expect(settled.has(position)).toBe(false);
            }
          } else if (c.do === 'settle' && inAir.length > 0) {
            const [offset] = inAir.splice(c.at % inAir.length, 1) as [number];
            settled.add(offset);
            tracker.settle(offset);
          } else if (c.do === 'restart') {
            committed = Math.max(committed, tracker.committable ?? 0);
            tracker.restart();
            position = committed;
          }
          for (let offset = 0; offset < (tracker.committable ?? 0); offset++)
            expect(settled.has(offset)).toBe(true);
        }
      }),
    );
  });
});
