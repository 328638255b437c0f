import { EdgeBus, RedisConnection } from '@commservice/redis';
import { redisPrefix, testServers, uniqueName, until } from '@commservice/testkit';
import { coordinatorContract } from '../model/coordinator-contract.js';
import { leaseRequest, randomRequests } from '../model/lease-requests.js';
import { seeded } from '../model/virtual-time.js';
import type { LeaseAnswer } from './coordinator.js';
import { MemoryCoordinator } from './memory-coordinator.js';
import { RedisCoordinator } from './redis-coordinator.js';

describe('RedisCoordinator', () => {
  let url: string;
  const open: { close(deadlineMs: number): Promise<void> }[] = [];
  beforeAll(async () => {
    url = (await testServers()).redis.url;
  });
  afterEach(() => Promise.all(open.splice(0).map((c) => c.close(500))));

  const make = () => {
    const keyPrefix = redisPrefix();
    const scripts = new RedisConnection({ url, keyPrefix, name: 'scripts' });
    const bus = new EdgeBus({ url, keyPrefix, name: 'edges' });
    open.push(scripts, bus);
    return { scripts, bus };
  };

  describe('keeps the contract of every coordinator', () => {
    coordinatorContract(() => {
      const { scripts, bus } = make();
      let now = 0;
      const redis = new RedisCoordinator(scripts, bus, () => now);
      return {
        coordinator: {
          lease: async (r, d) =>
            (await scripts.start(5000)) ? redis.lease(r, d) : { kind: 'no-answer', reason: 'start' },
          leave: (s, p, d) => redis.leave(s, p, d),
          onEdge: (s, l) => redis.onEdge(s, l),
        },
        at: (ms) => (now = ms),
        settle: async (seen) => {
          await until(() => bus.ready && seen(), { describe: 'edges arrive' });
        },
      };
    });
  });

  it('decides as its twin through any life of three pods', async () => {
    const { scripts, bus } = make();
    await scripts.start(5000);
    let now = 1_700_000_000_000;
    const redis = new RedisCoordinator(scripts, bus, () => now);
    const twin = new MemoryCoordinator(() => now);
    const random = seeded(7);
    const held = new Map<string, { grid: number; slots: number[]; sequence: number }>();
    for (const { afterMs, request } of randomRequests(random, uniqueName('scope'), 1500)) {
      now += afterMs;
      const mine = held.get(request.pod);
      const full = {
        ...request,
        // now and then an answer got lost
        seenSequence: random() < 0.85 ? (mine?.sequence ?? 0) : 0,
        ...(mine && random() < 0.3 ? { grid: mine.grid, released: mine.slots.slice(-4) } : {}),
      };
      const [a, b] = await Promise.all([redis.lease(full, 1000), twin.lease(full)]);
      const answers = [a, b].map((r) => (r.kind === 'answer' ? tidy(r.answer) : r));
      expect(answers[0]).toEqual(answers[1]);
      if (b.kind === 'answer')
        held.set(request.pod, {
          grid: b.answer.grid,
          slots: b.answer.slots.map((s) => s.slot),
          sequence: b.answer.sequence,
        });
    }
  });

  it("uses the server's own clock", async () => {
    const { scripts, bus } = make();
    await scripts.start(5000);
    const result = await new RedisCoordinator(scripts, bus).lease(leaseRequest(), 1000);
    const time = await scripts.time(1000);
    if (result.kind !== 'answer' || time.kind !== 'answer') throw new Error('no answer');
    expect(Math.abs(time.value - result.answer.nowMs)).toBeLessThan(1000);
  });

  it('says no-answer when Redis is not there', async () => {
    const scripts = new RedisConnection({ url: 'redis://127.0.0.1:1', name: 'nobody' });
    open.push(scripts);
    const nobody = new RedisCoordinator(scripts, { subscribe: () => () => undefined });
    expect((await nobody.lease(leaseRequest(), 50)).kind).toBe('no-answer');
  });
});

/** Due times differ by what a double loses on the wire. */
function tidy(a: LeaseAnswer): unknown {
  return JSON.parse(
    JSON.stringify(a, (_, v: unknown) =>
      typeof v === 'number' && !Number.isInteger(v) ? Math.round(v * 1e5) / 1e5 : v,
    ),
  );
}
