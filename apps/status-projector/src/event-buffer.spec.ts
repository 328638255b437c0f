import type { FetchedRecord } from '@commservice/kafka';
import { EventBuffer } from './event-buffer.js';

const records = (from: number, count: number, bytes = 1): FetchedRecord[] =>
  Array.from({ length: count }, (_, i) => ({
    ...{
      topic: 't',
      partition: 0,
      offset: from + i,
      key: null,
      value: null,
      headers: {},
      timestamp: 0,
      bytes,
    },
    fresh: false,
  }));

describe('EventBuffer', () => {
  it('gives events back in order, a batch at a time', () => {
    const buffer = new EventBuffer({ highWater: 100, onDrained: () => undefined });
    buffer.offer(records(0, 5));
    buffer.offer(records(5, 5));
    const taken = [buffer.take(4), buffer.take(4), buffer.take(4), buffer.take(4)];
    expect(taken.map((t) => t.map((r) => r.offset))).toEqual([[0, 1, 2, 3], [4, 5, 6, 7], [8, 9], []]);
  });

  it('is full from high water until it has fallen to half of it, and says so once', () => {
    let drained = 0;
    const buffer = new EventBuffer({ highWater: 10, onDrained: () => drained++ });
    buffer.offer(records(0, 9));
    expect(buffer.isFull()).toBe(false);
    buffer.offer(records(9, 1));
    expect(buffer.isFull()).toBe(true);
    buffer.take(4);
    expect([buffer.isFull(), drained]).toEqual([true, 0]);
    buffer.take(1);
    buffer.take(1);
    expect([buffer.isFull(), drained]).toEqual([false, 1]);
  });

  it('counts bytes as well as events', () => {
    const buffer = new EventBuffer({ highWater: 100, highWaterBytes: 1_000, onDrained: () => undefined });
    buffer.offer(records(0, 2, 600));
    expect(buffer.isFull()).toBe(true);
  });

  it('wakes a waiting writer with the first event, and at the end', async () => {
    const buffer = new EventBuffer({ highWater: 10, onDrained: () => undefined });
    const stop = new AbortController();
    const woken = buffer.ready(stop.signal).then(() => buffer.size);
    buffer.offer(records(0, 1));
    expect(await woken).toBe(1);
    buffer.take(1);
    const ended = buffer.ready(stop.signal).then(() => 'ended');
    stop.abort();
    expect(await ended).toBe('ended');
  });

  it('forgets everything when the generation changes', () => {
    const buffer = new EventBuffer({ highWater: 2, onDrained: () => undefined });
    buffer.offer(records(0, 3));
    buffer.dropAll();
    expect([buffer.size, buffer.isFull(), buffer.take(9)]).toEqual([0, false, []]);
  });
});
