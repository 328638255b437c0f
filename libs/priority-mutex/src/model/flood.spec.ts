import { Fleet, peakUnits, quantile, unitsOf } from './fleet.js';

/** A P3 backlog that never ends, every tenth message of three units; P1 at 10 % and P2 at 2.5 % of R, Poisson. */
async function flood(ratePerSecond: number, pods: number, timerLateMs: number, seconds: number) {
  const fleet = new Fleet({ ratePerSecond, pods, timerLateMs });
  for (let p = 0; p < pods; p++) fleet.lane(p, 'P3').flood(() => (fleet.random() < 0.1 ? 3 : 1));
  fleet.poisson('P1', ratePerSecond / 10);
  fleet.poisson('P2', ratePerSecond / 40);
  await fleet.time.run(2000);
  const [from, leases, before] = [fleet.time.monotonic(), fleet.leases, fleet.starts.length];
  await fleet.time.run(seconds * 1000);
  const starts = fleet.starts.filter((s) => s.atMs >= from);
  const waits = (p: string) => starts.filter((s) => s.priority === p).map((s) => s.waitMs);
  return {
    used: unitsOf(starts) / seconds / ratePerSecond,
    peak: peakUnits(starts),
    p1P99Ms: quantile(waits('P1'), 0.99),
    p2P99Ms: quantile(waits('P2'), 0.99),
    leasesPerStart: (fleet.leases - leases) / (fleet.starts.length - before),
  };
}

describe('under a P3 flood', () => {
  it.each([
    [200, 2, 1.2, 60],
    [200, 2, 4, 20],
    [200, 4, 1.2, 30],
    [200, 1, 1.2, 20],
    [50, 2, 1.2, 60],
    [1000, 3, 1.2, 5],
    [2000, 2, 1.2, 5],
  ])(
    'R = %d/s, %d pods, timers late by up to %d ms: P1 waits at most its promise and R is used',
    async (R, pods, late, seconds) => {
      const f = await flood(R, pods, late, seconds);
      console.info(JSON.stringify({ R, pods, late, ...f }));
      expect(f.used).toBeGreaterThanOrEqual(0.95);
      // Two pods that gather three units each add four late ones to a second: more than 2 % of a small R.
      expect(f.peak).toBeLessThanOrEqual(R * 1.02 + 1 + (R < 100 ? 2 : 0));
      expect(f.p1P99Ms).toBeLessThanOrEqual((2000 * pods) / R + 5);
      expect(f.p2P99Ms).toBeLessThanOrEqual(250);
      if (R >= 300 * pods) expect(f.leasesPerStart).toBeLessThanOrEqual(0.1);
    },
  );
});

describe('the minimum share', () => {
  it('lets a class that strict P1 blocks start one unit every 50 / R s, and nothing before', async () => {
    const fleet = new Fleet({ ratePerSecond: 200, pods: 2, mode: 'strict', timing: { maxBlockMs: 3000 } });
    for (const p of [0, 1]) fleet.lane(p, 'P3').flood(() => 1);
    fleet.poisson('P1', 100);
    await fleet.time.run(2000);
    const from = fleet.time.monotonic();
    await fleet.time.run(20_000);
    const lower = fleet.starts.filter((s) => s.priority === 'P3' && s.atMs >= from);
    expect(lower.length).toBeGreaterThanOrEqual(60);
    expect(lower.length).toBeLessThanOrEqual(80);
    expect(fleet.mutexes[0]?.view().classes.P3.gate).toBe('minimum-share');
  });
});
