import { START, id, record, rig, settleAll } from '../test/lane-rig.js';

const alfaTwo = { brandLimits: { alfa: { ratePerSecond: 2 } } };
const limited = (limits: object = alfaTwo) => rig('P3', undefined, true, limits);
const alfa = (n: number) => record(n, { brand: 'alfa' }, `${n}`);
const beta = (n: number) => record(n, { brand: 'beta' }, `${n}`);

describe('LaneWorker, narrow limits', () => {
  it('starts what is behind a limited head now, and the head when its limit opens, in order', async () => {
    const r = limited();
    r.offer(alfa(1), alfa(2), alfa(3), alfa(4), beta(5), beta(6));
    await settleAll();
    expect(r.sends).toEqual([1, 2, 5, 6].map(id));
    r.now = 1_000;
    r.worker.pump();
    await settleAll();
    expect(r.sends).toEqual([1, 2, 5, 6, 3, 4].map(id));
    expect(r.skipping.view()).toBeUndefined();
  });

  it('comes back by its timer, with nothing else going on', async () => {
    const r = limited({ brandLimits: { alfa: { ratePerSecond: 20 } } });
    r.offer(...Array.from({ length: 21 }, (_, n) => alfa(n + 1)));
    await settleAll();
    for (let n = 1; n <= 20; n++) await r.finish(n);
    expect(r.sends).toHaveLength(20);
    const startedAt = performance.now();
    r.now = 1_000; // the lane's clock; its timer was set for it
    while (r.sends.length < 21 && performance.now() - startedAt < 5_000)
      await new Promise((resolve) => setTimeout(resolve, 5));
    expect(r.sends.at(-1)).toBe(id(21));
  });

  it('wants no tokens for what is aside, and claims nothing for it', async () => {
    const r = limited();
    r.tokens = 2;
    r.offer(...[1, 2, 3, 4, 5].map(alfa));
    await settleAll();
    expect(r.worker.seatFor(0).waiting()).toEqual({ units: 0, nextUnits: 0 });
    expect(r.claimed).toEqual([id(1), id(2)]);
    expect(r.waitingFor()).toBeUndefined();
    expect(r.skipping.view()?.waiting).toBe(3);
  });

  it('counts nothing for what expires with its turn, and settles it', async () => {
    const r = limited({ brandLimits: { alfa: { ratePerSecond: 1 } } });
    r.tokens = 0;
    r.offer(record(1, { brand: 'alfa', expiresAt: START + 500 }, 'a'), alfa(2));
    await settleAll();
    Object.assign(r, { now: 600, tokens: 9 });
    r.worker.pump();
    await settleAll();
    r.now = 700; // what waits behind something reserved is looked at every 100 ms
    r.worker.pump();
    await settleAll();
    expect([r.outcomes, r.sends]).toEqual([['1 expired'], [id(2)]]);
  });

  it('puts back aside what a more urgent lane of the account has overtaken at the limit', async () => {
    const r = limited();
    r.tokens = 0;
    r.offer(alfa(1), alfa(2), beta(3));
    await settleAll();
    const urgent = { priority: 'P1', brand: 'alfa', recipient: 'x', units: 2 } as const;
    r.account.limits.reserve(urgent, false).started();
    r.tokens = 9;
    r.worker.pump();
    await settleAll();
    expect(r.sends).toEqual([id(3)]);
    r.now = 1_000;
    r.worker.pump();
    await settleAll();
    expect(r.sends).toEqual([3, 1, 2].map(id));
  });

  it('forgets what is aside when the generation changes', async () => {
    const r = limited();
    r.offer(...[1, 2, 3, 4].map(alfa));
    await settleAll();
    r.drop();
    r.now = 5_000;
    r.worker.pump();
    await settleAll();
    expect(r.sends).toEqual([1, 2].map(id));
    expect(r.skipping.waiting).toBe(0);
  });

  it('takes limits of a changed catalogue over', async () => {
    const r = limited();
    r.offer(...[1, 2, 3, 4].map(alfa));
    await settleAll();
    r.account.follow({ ...r.account.account, brandLimits: undefined });
    r.worker.pump();
    await settleAll();
    expect(r.sends).toEqual([1, 2, 3, 4].map(id));
  });
});
