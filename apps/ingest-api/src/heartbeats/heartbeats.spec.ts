import { createSecretKey } from 'node:crypto';
import { MessageIds, type DataKey } from '@commservice/contracts';
import { noopMetrics, silentLogger } from '@commservice/telemetry';
import { developmentCatalogue } from '../../test/ingest-harness.js';
import { MemorySender } from '../../test/memory-ports.js';
import { LanePublisher } from '../publish/lane-publisher.js';
import { Heartbeats } from './heartbeats.js';

const dataKey: DataKey = { id: 'k1', brand: 'alfa', day: '2026-11-30', secret: Buffer.alloc(32, 1) };

function beating(intervalMs: number): { heartbeats: Heartbeats; sender: MemorySender } {
  const sender = new MemorySender();
  const clock = { now: () => Date.now(), monotonic: () => 0 };
  const metrics = noopMetrics();
  const publisher = new LanePublisher({
    lanes: { P1: sender, P2: sender, P3: sender },
    events: new MemorySender(),
    metrics,
    clock,
  });
  const accept = {
    clock,
    ids: new MessageIds(Buffer.alloc(32)),
    keyRing: { current: () => dataKey },
    hashKey: createSecretKey(Buffer.alloc(32)),
  };
  const catalogue = { current: developmentCatalogue() };
  return {
    sender,
    heartbeats: new Heartbeats({ intervalMs, catalogue, accept, publisher, logger: silentLogger, metrics }),
  };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('writes one heartbeat for every lane in each interval, spread over it', async () => {
  const { heartbeats, sender } = beating(30_000);
  heartbeats.start();
  await jest.advanceTimersByTimeAsync(15_000);
  expect(sender.records.length).toBeGreaterThanOrEqual(6);
  expect(sender.records.length).toBeLessThanOrEqual(8);
  await jest.advanceTimersByTimeAsync(15_000);
  expect(new Set(sender.records.map((r) => r.topic)).size).toBe(15);
  heartbeats.stop();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(sender.records).toHaveLength(15);
});

it('writes none when it is turned off', async () => {
  const { heartbeats, sender } = beating(0);
  heartbeats.start();
  await jest.advanceTimersByTimeAsync(120_000);
  expect(sender.records).toEqual([]);
});
