import type { MessageEvent } from '@commservice/contracts';
import type { FetchedRecord } from '@commservice/kafka';
import type { ApplyResult } from '@commservice/postgres';
import { noopMetrics, silentLogger } from '@commservice/telemetry';
import { EventBuffer } from './event-buffer.js';
import { EventWriter } from './event-writer.js';

const idOf = (n: number): string => `019a0000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const record = (offset: number, value?: string): FetchedRecord => ({
  ...{ topic: 't', partition: 0, offset, key: null, headers: {}, timestamp: 0, bytes: 10, fresh: false },
  value: Buffer.from(
    value ?? JSON.stringify({ v: 1, id: idOf(offset), status: 'sent', at: 1, generation: 0, priority: 'P1' }),
  ),
});
const fault = (code: string): Error => Object.assign(new Error('x'), { code });

/** A writer over a stand-in for the store, and what became of its records. */
function writerOver(apply: (events: readonly MessageEvent[]) => Promise<ApplyResult>) {
  const settled: number[] = [];
  const buffer = new EventBuffer({ highWater: 100, onDrained: () => undefined });
  let wake: () => void = () => undefined;
  const writer = new EventWriter({
    ...{
      priority: 'P1',
      group: 'g',
      buffer,
      store: { apply },
      batchEvents: 8,
      retryMs: 1,
      logger: silentLogger,
    },
    metrics: noopMetrics(),
    settle: (r) => {
      settled.push(r.offset);
      wake();
    },
  });
  const settledCount = async (count: number): Promise<number[]> => {
    while (settled.length < count) await new Promise<void>((resolve) => (wake = resolve));
    return settled;
  };
  return { buffer, writer, settled, settledCount };
}

describe('EventWriter', () => {
  it('stores what is there in batches and settles each event after its batch is stored', async () => {
    const batches: number[] = [];
    let settledAtWrite = -1;
    const w = writerOver((events) => {
      settledAtWrite = w.settled.length;
      batches.push(events.length);
      return Promise.resolve({ changed: [], refused: [] });
    });
    w.buffer.offer(Array.from({ length: 10 }, (_, i) => record(i)));
    w.writer.start();
    expect(await w.settledCount(10)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(batches).toEqual([8, 2]);
    expect(settledAtWrite).toBe(8);
    await w.writer.stop();
  });

  it('keeps trying while PostgreSQL is away, and settles nothing meanwhile', async () => {
    let tries = 0;
    const w = writerOver(() => {
      expect(w.settled).toEqual([]);
      return ++tries < 4
        ? Promise.reject(fault('ECONNREFUSED'))
        : Promise.resolve({ changed: [], refused: [] });
    });
    w.buffer.offer([record(0)]);
    w.writer.start();
    await w.settledCount(1);
    expect(tries).toBe(4);
    await w.writer.stop();
  });

  it('skips the one event that PostgreSQL refuses and stores all others of its batch', async () => {
    const stored: string[] = [];
    const w = writerOver((events) => {
      if (events.some((e) => e.id === idOf(5))) return Promise.reject(fault('22P05'));
      stored.push(...events.map((e) => e.id));
      return Promise.resolve({ changed: [], refused: [] });
    });
    w.buffer.offer(Array.from({ length: 8 }, (_, i) => record(i)));
    w.writer.start();
    expect((await w.settledCount(8)).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(stored.toSorted()).toEqual([0, 1, 2, 3, 4, 6, 7].map(idOf));
    await w.writer.stop();
  });

  it('settles an event whose numbers no column can hold', async () => {
    const w = writerOver((events) => Promise.resolve({ changed: [], refused: events.slice(0, 1) }));
    w.buffer.offer([record(0), record(1)]);
    w.writer.start();
    expect(await w.settledCount(2)).toEqual([0, 1]);
    await w.writer.stop();
  });

  it('settles what is no event without storing it', async () => {
    const stored: string[] = [];
    const w = writerOver((events) => {
      stored.push(...events.map((e) => e.id));
      return Promise.resolve({ changed: [], refused: [] });
    });
    w.buffer.offer([record(0, 'not json'), record(1, '{"v":2}'), record(2)]);
    w.writer.start();
    await w.settledCount(3);
    expect(stored).toEqual([idOf(2)]);
    await w.writer.stop();
  });

  it('ends at once when it is stopped while PostgreSQL is away', async () => {
    let firstTry: () => void = () => undefined;
    const tried = new Promise<void>((resolve) => (firstTry = resolve));
    const w = writerOver(() => {
      firstTry();
      return Promise.reject(fault('57P03'));
    });
    w.buffer.offer([record(0)]);
    w.writer.start();
    await tried;
    await w.writer.stop();
    expect(w.settled).toEqual([]);
  });
});
