import { START, id, record, rig, settleAll } from '../../test/lane-rig.js';

const MAX_ASIDE = 1_000;
const LIFE_MS = 5_000;
const slow = { brandLimits: { alfa: { ratePerSecond: 0.1 } } };
const alfa = (n: number, lifeMs = 1e9) => record(n, { brand: 'alfa', expiresAt: START + lifeMs }, `${n}`);
const beta = (n: number) => record(n, { brand: 'beta' }, `${n}`);

/** Pumps at one time until nothing more changes in what is aside, in the air or settled. */
async function pumpUntilQuiet(r: ReturnType<typeof rig>): Promise<void> {
  const state = () => [r.skipping.waiting, r.sends.length, r.outcomes.length].join(' ');
  for (let before = ''; before !== state();) {
    before = state();
    r.worker.pump();
    await settleAll();
  }
}

describe('AdmitStep, what expires aside', () => {
  it('comes out, ends as expired and makes room: the brands behind a full aside go on', async () => {
    const r = rig('P3', undefined, true, slow);
    const last = MAX_ASIDE + 1;
    r.offer(...Array.from({ length: last }, (_, n) => alfa(n + 1, LIFE_MS)), beta(last + 1));
    await pumpUntilQuiet(r);
    expect([r.sends, r.skipping.waiting, r.skipping.isFull]).toEqual([[id(1)], MAX_ASIDE, true]);
    for (r.now = LIFE_MS + 1; r.skipping.waiting > 0 && r.now < 60_000; r.now += 100) await pumpUntilQuiet(r);
    expect(r.now).toBeLessThan(60_000);
    await pumpUntilQuiet(r);
    expect(r.sends).toEqual([id(1), id(last + 1)]);
    expect(new Set(r.outcomes.filter((o) => o.endsWith(' expired'))).size).toBe(MAX_ASIDE);
  });

  it('leaves alone what still has time, behind what has none', async () => {
    const r = rig('P3', undefined, true, slow);
    r.offer(alfa(1), alfa(2), alfa(3, LIFE_MS), alfa(4));
    await pumpUntilQuiet(r);
    r.now = LIFE_MS;
    await pumpUntilQuiet(r);
    expect([r.sends, r.outcomes, r.skipping.waiting]).toEqual([[id(1)], ['3 expired'], 2]);
    r.now = 10_000;
    await pumpUntilQuiet(r);
    expect(r.sends).toEqual([1, 2].map(id));
  });
});
