import type { Clock } from '@commservice/contracts';
import fc from 'fast-check';
import { BoundedQueue } from './bounded-queue.js';
import { boundedQueueOptions, type BoundedQueueOptions } from './policy.js';

const clockAt = (time: { ms: number }): Clock => ({ now: () => time.ms, monotonic: () => time.ms });
const queueOf = (items: number, bytes: number, time = { ms: 0 }): BoundedQueue<number> =>
  new BoundedQueue<number>({ capacity: { items, bytes }, onFull: 'block' }, (n) => n, clockAt(time));

describe('BoundedQueue', () => {
  it('refuses to start without a policy', () => {
    const options = { capacity: { items: 1, bytes: 1 } } as BoundedQueueOptions;
    expect(() => new BoundedQueue(options, () => 1, clockAt({ ms: 0 }))).toThrow('onFull');
  });

  it.each(['drop_newest', 'drop_oldest', 'spill'] as const)(
    'refuses the policy %s, which is named but not built',
    (onFull) => {
      expect(boundedQueueOptions.safeParse({ capacity: { items: 1, bytes: 1 }, onFull }).success).toBe(false);
    },
  );

  it('refuses an offer when full by items and takes it again after one left', () => {
    const queue = queueOf(2, 1000);
    expect([queue.offer(1), queue.offer(2), queue.offer(3)].map((a) => a.kind)).toEqual([
      'queued',
      'queued',
      'full',
    ]);
    queue.shift();
    expect(queue.offer(3).kind).toBe('queued');
    expect(queue.take(5)).toEqual([2, 3]);
  });

  it('takes an item larger than its whole byte bound when nothing else waits', () => {
    const queue = queueOf(10, 100);
    expect(queue.offer(500).kind).toBe('queued');
    expect(queue.offer(1).kind).toBe('full');
  });

  it('is low only when both bounds are at or below low water', () => {
    const queue = queueOf(10, 100);
    for (let i = 0; i < 7; i++) queue.offer(11);
    expect(queue.isBelowLow).toBe(false); // 77 of 100 bytes
    queue.shift();
    expect(queue.isBelowLow).toBe(true); // 66 bytes, 6 items
    queue.offer(1);
    queue.offer(1);
    expect(queue.isBelowLow).toBe(false); // 8 of 10 items
  });

  it('tells the age of its head', () => {
    const time = { ms: 1000 };
    const queue = queueOf(10, 100, time);
    expect(queue.oldestAgeMs()).toBe(0);
    queue.offer(1);
    time.ms = 1200;
    queue.offer(2);
    expect(queue.oldestAgeMs()).toBe(200);
    queue.shift();
    expect(queue.oldestAgeMs()).toBe(0);
  });

  it('drops what belongs to a lost partition and keeps the rest in order', () => {
    const queue = queueOf(10, 100);
    queue.offerFetched([1, 2, 3, 4, 5]);
    expect(queue.dropWhere((n) => n % 2 === 0, 'revoked')).toEqual([2, 4]);
    expect(queue.depthBytes).toBe(9);
    expect(queue.counts()).toEqual({ enqueued: 5, taken: 0, dropped: { revoked: 2 }, depth: 3 });
    expect(queue.take(10)).toEqual([1, 3, 5]);
  });

  type Op =
    | { op: 'offer'; bytes: number }
    | { op: 'shift' }
    | { op: 'take'; max: number }
    | { op: 'drop'; odd: boolean };
  const ops = fc.array(
    fc.oneof(
      fc.record({ op: fc.constant('offer' as const), bytes: fc.integer({ min: 0, max: 40 }) }),
      fc.record({ op: fc.constant('shift' as const) }),
      fc.record({ op: fc.constant('take' as const), max: fc.integer({ min: 0, max: 5 }) }),
      fc.record({ op: fc.constant('drop' as const), odd: fc.boolean() }),
    ),
    { maxLength: 200 },
  );

  function applyBoth(
    queue: BoundedQueue<number>,
    model: number[],
    op: Op,
    capacity: { items: number; bytes: number },
  ): void {
    const sum = model.reduce((a, b) => a + b, 0);
    if (op.op === 'offer') {
      const full = model.length >= capacity.items || sum >= capacity.bytes;
      expect(queue.offer(op.bytes).kind).toBe(full ? 'full' : 'queued');
      if (!full) model.push(op.bytes);
    } else if (op.op === 'shift') expect(queue.shift()).toBe(model.shift());
    else if (op.op === 'take') expect(queue.take(op.max)).toEqual(model.splice(0, op.max));
    else {
      const matches = (n: number): boolean => (n % 2 === 1) === op.odd;
      expect(queue.dropWhere(matches, 'test')).toEqual(model.filter(matches));
      model.splice(0, model.length, ...model.filter((n) => !matches(n)));
    }
  }

  it('stays within its bounds, in order, and loses count of nothing, whatever is done to it', () => {
    const capacity = fc.record({
      items: fc.integer({ min: 1, max: 40 }),
      bytes: fc.integer({ min: 1, max: 300 }),
    });
    fc.assert(
      fc.property(capacity, ops, (cap, steps) => {
        const queue = queueOf(cap.items, cap.bytes);
        const model: number[] = [];
        for (const step of steps) {
          applyBoth(queue, model, step, cap);
          expect(queue.peek()).toBe(model[0]);
          expect(queue.depthBytes).toBe(model.reduce((a, b) => a + b, 0));
          expect(queue.depthBytes).toBeLessThan(cap.bytes + 40);
          const { enqueued, taken, dropped, depth } = queue.counts();
          expect(enqueued).toBe(taken + Object.values(dropped).reduce((a, b) => a + b, 0) + depth);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('moves a million items through a deep queue at constant cost per item', () => {
    const queue = queueOf(200_000, 1e9);
    for (let i = 0; i < 200_000; i++) queue.offer(1);
    const startedAt = performance.now();
    for (let i = 0; i < 1_000_000; i++) {
      queue.shift();
      queue.offer(1);
    }
    // Array.shift at this depth takes minutes.
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(queue.depth).toBe(200_000);
  });
});
