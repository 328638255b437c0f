import type { LaneItem } from '../lane-item.js';
import { AsideExpiry } from './aside-expiry.js';
import { SkippedFlows } from './skipped-flows.js';

const EPOCH = 1_800_000_000_000;
let now = 0;
const clock = { now: () => EPOCH + now, monotonic: () => now };

/** Items aside in `flows` flows, the n-th of which expires at `endsAtMs(n)`. */
function aside(count: number, flows: number, endsAtMs: (n: number) => number) {
  now = 0;
  const skipped = new SkippedFlows<LaneItem>();
  const expiry = new AsideExpiry(skipped, clock);
  for (let n = 0; n < count; n++) {
    const item = { message: { id: `${n}`, expiresAt: EPOCH + endsAtMs(n) } } as LaneItem;
    skipped.add(`f${n % flows}`, n, item, 1e6 + (n % flows));
    expiry.watch(item);
  }
  return { skipped, expiry };
}
const idsOf = (items: readonly LaneItem[]): number[] => items.map((i) => Number(i.message.id));

describe('AsideExpiry', () => {
  it('names the first end, takes out what is over and nothing else, and keeps the rest in order', () => {
    const { skipped, expiry } = aside(6, 2, (n) => (n % 3 === 0 ? 500 : 900));
    expect(expiry.nextMs).toBe(500);
    now = 499;
    expect(expiry.take(10, now)).toEqual([]);
    now = 500;
    expect(idsOf(expiry.take(10, now)).sort()).toEqual([0, 3]);
    expect([skipped.size, expiry.nextMs]).toEqual([4, 900]);
    const order = [...skipped.all()].map((f) => f.waiting.map((w) => w.order));
    expect(order).toEqual([
      [2, 4],
      [1, 5],
    ]);
    expect(skipped.nextOpenAtMs).toBe(500); // the first of both has gone
  });

  it('takes no more than there is room for, and looks again at most every 100 ms', () => {
    const { skipped, expiry } = aside(10, 3, () => 100);
    now = 100;
    expect(expiry.take(0, now)).toEqual([]);
    expect(expiry.take(4, now)).toHaveLength(4);
    expect([expiry.take(4, now + 99), expiry.nextMs]).toEqual([[], 200]);
    now = 200;
    expect(expiry.take(9, now)).toHaveLength(6);
    expect([skipped.size, skipped.nextOpenAtMs, expiry.nextMs]).toEqual([0, undefined, undefined]);
  });
});
