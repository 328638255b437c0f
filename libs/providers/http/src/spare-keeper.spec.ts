import type { ConnectionPool } from './connection-pool.js';
import { SpareKeeper } from './spare-keeper.js';

/** A pool of counts, and openings that end when they are told to. */
function rig(limit = 40) {
  const pool = {
    ...{ idleCount: 0, size: 0 },
    get hasSpareRoom(): boolean {
      return pool.size < limit / 2;
    },
    hasIdle: () => pool.idleCount > 0,
  };
  const openings: ((stands: boolean) => void)[] = [];
  let now = 0;
  const keeper = new SpareKeeper(
    pool as unknown as ConnectionPool,
    { now: () => now, monotonic: () => now },
    () => {
      pool.size++;
      return new Promise((resolve) => openings.push(resolve));
    },
  );
  const end = async (stands: boolean): Promise<void> => {
    openings.shift()?.(stands);
    if (stands) pool.idleCount++;
    else pool.size--;
    await new Promise(setImmediate);
  };
  const call = (): void => {
    if (pool.idleCount > 0) pool.idleCount--;
    else pool.size++;
    keeper.look();
  };
  return { pool, openings, keeper, end, call, pass: (ms: number) => (now += ms) };
}

describe('the connections opened ahead', () => {
  it('are one, and one more for every call in the air: their number may double with each handshake', async () => {
    const r = rig();
    r.keeper.look();
    expect(r.openings).toHaveLength(1);
    await r.end(true);
    for (let n = 0; n < 4; n++) r.call();
    // four in the air, one of them on the connection opened before
    expect(r.openings).toHaveLength(5);
    r.keeper.look();
    expect(r.openings).toHaveLength(5);
  });

  it('do not hold calls back while many are being opened: a far vendor takes long for each', () => {
    const r = rig(1_000);
    for (let n = 0; n < 20; n++) r.call();
    expect([r.openings.length, r.keeper.ready()]).toEqual([16, true]);
  });

  it('are waited for anew after each shortage', async () => {
    const r = rig();
    expect(r.keeper.ready()).toBe(false);
    await r.end(true);
    r.keeper.look();
    r.pass(10_000);
    r.pool.idleCount = 0;
    expect(r.keeper.ready()).toBe(false);
  });

  it('leave half of the pool to calls, and are never many at a time', () => {
    const few = rig(4);
    for (let n = 0; n < 3; n++) few.call();
    expect([few.openings.length, few.keeper.ready()]).toEqual([1, true]);
    const many = rig(1_000);
    for (let n = 0; n < 40; n++) many.call();
    expect(many.openings.length).toBeLessThanOrEqual(16);
  });

  it('let a call wait until one stands, and no longer than the patience', async () => {
    const r = rig();
    expect(r.keeper.ready()).toBe(false);
    await r.end(true);
    expect(r.keeper.ready()).toBe(true);
    r.call();
    expect(r.keeper.ready()).toBe(false);
    r.pass(49);
    expect(r.keeper.ready()).toBe(false);
    r.pass(1);
    expect(r.keeper.ready()).toBe(true);
  });

  it('let calls find out themselves while the vendor cannot be reached, and try again a second later', async () => {
    const r = rig();
    expect(r.keeper.ready()).toBe(false);
    await r.end(false);
    expect(r.keeper.ready()).toBe(true);
    expect(r.openings).toHaveLength(0);
    r.pass(1_000);
    expect([r.keeper.ready(), r.openings.length]).toEqual([true, 1]);
  });
});
