import { claimContract } from '../../test/claim-contract.js';
import { ScriptedRedis } from '../../test/scripted-redis.js';
import { claimKey } from './claim-key.js';
import { MemoryClaimStore } from './memory-claim-store.js';
import { RedisClaimStore } from './redis-claim-store.js';

function clock(): { now: () => number; waitMs: (ms: number) => Promise<void> } {
  let ms = 1_700_000_000_000;
  return { now: () => ms, waitMs: (by) => Promise.resolve(void (ms += by)) };
}

describe('MemoryClaimStore', () => {
  claimContract(() => {
    const { now, waitMs } = clock();
    return { store: new MemoryClaimStore(now), waitMs };
  });

  it('forgets a delivered item after its life', async () => {
    const { now, waitMs } = clock();
    const store = new MemoryClaimStore(now, { doneMs: 100, deadMs: 1000, reservedMs: 50 });
    store.finish('x', 'done', 'a', 0);
    await waitMs(99);
    expect(await store.claim([{ id: 'x', generation: 0 }], 'b', 10)).toEqual([{ kind: 'done' }]);
    await waitMs(1);
    expect(await store.claim([{ id: 'x', generation: 0 }], 'b', 10)).toEqual([{ kind: 'new' }]);
  });
});

describe('RedisClaimStore', () => {
  claimContract(() => {
    const { now, waitMs } = clock();
    return { store: new RedisClaimStore({ redis: new ScriptedRedis(now) }), waitMs };
  });

  const one = [{ id: 'x', generation: 0 }];

  it('answers unknown for every item when Redis does not answer', async () => {
    const redis = new ScriptedRedis(clock().now);
    redis.reachable = false;
    const store = new RedisClaimStore({ redis });
    expect(await store.claim([...one, { id: 'y', generation: 0 }], 'a', 10)).toEqual([
      { kind: 'unknown' },
      { kind: 'unknown' },
    ]);
  });

  it('claims a group in one call and tells settlements of one tick in one call', async () => {
    const redis = new ScriptedRedis(clock().now);
    const store = new RedisClaimStore({ redis });
    const group = Array.from({ length: 50 }, (_, i) => ({ id: `i${i}`, generation: 0 }));
    await store.claim(group, 'a', 1000);
    for (const { id } of group) store.finish(id, 'done', 'a', 0);
    await store.flush(1000);
    expect(redis.calls).toEqual([
      { script: 'claim', keys: 50 },
      { script: 'settle', keys: 50 },
    ]);
  });

  it('keeps settlements through an outage and tells them by itself afterwards', async () => {
    const redis = new ScriptedRedis(clock().now);
    const store = new RedisClaimStore({ redis, settleEveryMs: 1, settleRetryMs: 1 });
    redis.reachable = false;
    store.finish('x', 'done', 'a', 0);
    expect(await store.flush(10)).toBe(false);
    expect(await store.claim(one, 'b', 1000)).toEqual([{ kind: 'done' }]);
    redis.reachable = true;
    expect(await store.flush(1000)).toBe(true);
    expect(await new RedisClaimStore({ redis }).claim(one, 'b', 1000)).toEqual([{ kind: 'done' }]);
  });

  it('bounds what waits, loses the oldest and counts them', () => {
    const redis = new ScriptedRedis(clock().now);
    redis.reachable = false;
    const store = new RedisClaimStore({ redis, maxWaiting: 3 });
    for (let i = 0; i < 5; i++) store.finish(`i${i}`, 'done', 'a', 0);
    expect(store.counts()).toEqual({ waiting: 3, lost: 2 });
  });
});

describe('claimKey', () => {
  it('packs a UUID and keeps any other id apart from packed ones', () => {
    expect(claimKey('01890a5d-ac96-774b-bcce-b302099a8057')).toMatch(/^c:[\w-]{22}$/);
    expect(claimKey('order-1')).toBe('c::order-1');
  });
});
