import { Fleet, peakUnits, quantile } from './fleet.js';

const CLASSES = ['P1', 'P2', 'P3'] as const;

/** Poisson arrivals of each class, with or without an endless P3 backlog in every pod. */
async function waits(R: number, pods: number, perSecond: readonly number[], flooded: boolean) {
  const fleet = new Fleet({ ratePerSecond: R, pods, timerLateMs: 1.2 });
  for (let p = 0; flooded && p < pods; p++) fleet.lane(p, 'P3').flood(() => 1);
  CLASSES.forEach((c, i) => perSecond[i] && fleet.poisson(c, perSecond[i]));
  await fleet.time.run(2000);
  const [from, leases] = [fleet.time.monotonic(), fleet.leases];
  await fleet.time.run(20_000);
  const starts = fleet.starts.filter((s) => s.atMs >= from);
  const p99 = (c: string) =>
    quantile(
      starts.filter((s) => s.priority === c).map((s) => s.waitMs),
      0.99,
    );
  return {
    p1: p99('P1'),
    p2: p99('P2'),
    leasesPerStart: (fleet.leases - leases) / starts.length,
    peak: peakUnits(fleet.starts),
  };
}

describe('an idle scope', () => {
  it.each([
    [200, 2, [20, 5, 0]],
    [200, 2, [2, 1, 1]],
    [200, 2, [0, 50, 0]],
    [200, 2, [0, 5, 20]],
    [200, 4, [20, 5, 0]],
    [1000, 2, [100, 25, 0]],
    [2000, 2, [200, 50, 700]],
  ] as const)(
    'R = %d/s, %d pods, %j arrivals/s: nobody waits longer than under a flood, and a P2 two turns at most',
    async (R, pods, rates) => {
      const idle = await waits(R, pods, rates, false);
      const flood = await waits(R, pods, rates, true);
      console.info(JSON.stringify({ R, pods, rates, idle, flood }));
      if (rates[0] > 0) expect(idle.p1).toBeLessThanOrEqual(Math.max(flood.p1, 2));
      if (rates[1] > 0) expect(idle.p2).toBeLessThanOrEqual(Math.max(flood.p2, (2000 * pods) / R + 5));
      // One call for what arrived, one for the standing stock; a third finds out that nothing else is wanted.
      expect(idle.leasesPerStart).toBeLessThanOrEqual(3);
      expect(idle.peak).toBeLessThanOrEqual(R * 1.02 + 1);
    },
  );

  it('fills its standing stock with departures that fell due while nobody looked', async () => {
    const fleet = new Fleet({ ratePerSecond: 200, pods: 2, timerLateMs: 1.2 });
    await fleet.time.run(2000);
    for (let i = 0; i < 50; i++) {
      for (let k = 0; k < 2; k++) fleet.lane(0, 'P1').arrive(1);
      await fleet.time.run(60);
    }
    expect(Math.max(...fleet.starts.map((s) => s.waitMs))).toBe(0);
  });
});
