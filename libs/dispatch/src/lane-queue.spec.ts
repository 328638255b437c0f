import { BoundedQueue } from '@commservice/batch-safety';
import type { FetchedRecord } from '@commservice/kafka';
import { manualClock, type ManualClock } from '@commservice/testkit';
import { LaneQueue, type Waiting } from './lane-queue.js';

const TOPIC = 'lane.retry.2s';
const DELAY_MS = 2_000;

function queueAt(clock: ManualClock): LaneQueue {
  const capacity = { items: 10, bytes: 10_000 };
  const queue = new BoundedQueue<Waiting>({ capacity, onFull: 'block', lowWater: 0.5 }, () => 1, clock);
  const nothing = (): void => undefined;
  return new LaneQueue([{ topic: TOPIC, delayMs: DELAY_MS, queue }], clock, {
    onOffer: nothing,
    onDrained: nothing,
    onDropped: nothing,
  });
}

const record = (timestamp: number): FetchedRecord => ({
  topic: TOPIC,
  partition: 0,
  offset: 0,
  key: null,
  value: null,
  headers: {},
  timestamp,
  bytes: 1,
  fresh: false,
});

describe('a retry tier', () => {
  it.each([
    ['just now', 0, DELAY_MS],
    ['half its delay ago', -1_000, 1_000],
    ['by a pod whose clock is ten minutes ahead', 600_000, DELAY_MS],
  ])('lets a record go that was written %s no later than its delay', (_when, writtenMs, dueInMs) => {
    const clock = manualClock();
    const queue = queueAt(clock);
    queue.offer([record(clock.now() + writtenMs)]);
    expect(queue.take(clock.monotonic() + dueInMs - 1)).toBeUndefined();
    expect(queue.take(clock.monotonic() + dueInMs)).toBeDefined();
  });
});
