import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { RedisConnection } from '@commservice/redis';
import { ownServers, redisPrefix, type OwnServers } from '@commservice/testkit';
import fc from 'fast-check';
import { claimContract } from '../../test/claim-contract.js';
import { CLAIM_LIFETIMES } from './claim.js';
import { ClaimTable } from './claim-table.js';
import { RedisClaimStore } from './redis-claim-store.js';

describe('RedisClaimStore on Redis', () => {
  let servers: OwnServers;
  let redis: RedisConnection;

  beforeAll(async () => {
    servers = await ownServers(['redis']);
    redis = new RedisConnection({ url: servers.address('redis'), name: 'claims', keyPrefix: redisPrefix() });
    expect(await redis.start(5000)).toBe(true);
  });
  afterAll(async () => {
    await redis.close(500);
    await servers.close();
  });

  // Deadlines are in the server's own time, which no test can set: it has to pass.
  claimContract(() => ({ store: new RedisClaimStore({ redis }), waitMs: (ms) => pause(ms) }));

  it('has no answer, and no duplicate, from a frozen server within its deadline', async () => {
    const store = new RedisClaimStore({ redis, claimDeadlineMs: 50 });
    servers.pause('redis');
    try {
      const startedAt = performance.now();
      expect(await store.claim([{ id: randomUUID(), generation: 0 }], 'a', 1000)).toEqual([
        { kind: 'unknown' },
      ]);
      expect(performance.now() - startedAt).toBeLessThan(200);
    } finally {
      servers.resume('redis');
    }
  });

  it('lets every state die with its life', async () => {
    const lifetimes = { doneMs: 30, deadMs: 30, reservedMs: 30 };
    const store = new RedisClaimStore({ redis, lifetimes });
    const group = Array.from({ length: 3 }, () => ({ id: randomUUID(), generation: 0 }));
    await store.claim(group, 'a', 1, 1000);
    store.finish(group[0]!.id, 'done', 'a', 0);
    store.finish(group[1]!.id, 'dead', 'a', 0);
    await store.flush(1000);
    await pause(60);
    expect((await store.claim(group, 'b', 1000, 1000)).map((a) => a.kind)).toEqual(['new', 'new', 'new']);
  });

  const owner = fc.constantFrom('a', 'b|x');
  const generation = fc.nat({ max: 3 });
  const steps = fc.array(
    fc.oneof(
      // A reservation of 0 ms has passed at once, one of an hour never does: both clocks agree on that.
      fc.record({
        op: fc.constant('claim' as const),
        owner,
        generation,
        reserveMs: fc.constantFrom(0, 3_600_000),
      }),
      fc.record({
        op: fc.constantFrom('done' as const, 'dead' as const, 'release' as const),
        owner,
        generation,
      }),
    ),
    { maxLength: 15 },
  );

  it('follows the same rules as its twin, whatever two owners do', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        const id = randomUUID();
        const store = new RedisClaimStore({ redis });
        const twin = new ClaimTable(CLAIM_LIFETIMES, () => 1000);
        for (const step of plan) {
          if (step.op === 'claim') {
            const group = [{ id, generation: step.generation }];
            const [real] = await store.claim(group, step.owner, step.reserveMs, 1000);
            expect(real?.kind).toBe(twin.claim(group, step.owner, step.reserveMs)[0]?.kind);
            continue;
          }
          if (step.op === 'release') store.release(id, step.owner);
          else store.finish(id, step.op, step.owner, step.generation);
          expect(await store.flush(1000)).toBe(true);
          // A release carries no generation.
          twin.settle({ id, op: step.op, owner: step.owner, generation: step.generation });
        }
      }),
      { numRuns: 300 },
    );
  });
});
