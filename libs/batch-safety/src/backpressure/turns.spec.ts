import fc from 'fast-check';
import { Turns } from './turns.js';

const drain = <T>(turns: Turns<T>): T[] => {
  const out: T[] = [];
  for (let item = turns.shift(); item !== undefined; item = turns.shift()) out.push(item);
  return out;
};

describe('Turns', () => {
  it('lets a newcomer in at the next turn, however much another flow holds', () => {
    const turns = new Turns<string>();
    for (let i = 0; i < 1000; i++) turns.push('a', `a${i}`);
    for (let i = 0; i < 3; i++) turns.push('b', `b${i}`);
    expect(drain(turns).slice(0, 7)).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('is a plain queue for one flow', () => {
    const turns = new Turns<number>();
    for (let i = 0; i < 100; i++) turns.push('only', i);
    expect(turns.peek()).toBe(0);
    expect(drain(turns)).toEqual(Array.from({ length: 100 }, (_, i) => i));
  });

  it('keeps the order within each flow, loses nothing, and gives every waiting flow its share at any time', () => {
    const step = fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.constant(undefined));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const turns = new Turns<{ flow: string; n: number }>();
        const waiting: Record<string, number[]> = { a: [], b: [], c: [] };
        const passedOver: Record<string, number> = { a: 0, b: 0, c: 0 };
        let n = 0;
        const take = (): void => {
          const next = turns.peek();
          const item = turns.shift();
          expect(item).toBe(next);
          if (!item) return expect(Object.values(waiting).flat()).toEqual([]);
          expect(waiting[item.flow]?.shift()).toBe(item.n);
          for (const flow of Object.keys(waiting)) {
            passedOver[flow] =
              flow === item.flow || waiting[flow]?.length === 0 ? 0 : (passedOver[flow] ?? 0) + 1;
            expect(passedOver[flow]).toBeLessThanOrEqual(2);
          }
        };
        for (const flow of steps) {
          if (flow === undefined) take();
          else {
            waiting[flow]?.push(n);
            turns.push(flow, { flow, n: n++ });
          }
          expect(turns.length).toBe(Object.values(waiting).flat().length);
        }
        while (turns.length > 0) take();
      }),
    );
  });
});
