import { Fleet, peakUnits, quantile, unitsOf } from './fleet.js';

const figures = (fleet: Fleet, fromMs: number, seconds: number) => {
  const starts = fleet.starts.filter((s) => s.atMs >= fromMs && s.atMs < fromMs + seconds * 1000);
  const waits = (p: string) => starts.filter((s) => s.priority === p).map((s) => s.waitMs);
  const three = (p: string) => [0.5, 0.95, 0.99, 1].map((q) => Math.round(10 * quantile(waits(p), q)) / 10);
  return {
    used: unitsOf(starts) / seconds / fleet.options.ratePerSecond,
    peak: peakUnits(starts),
    p1: three('P1'),
    p2: three('P2'),
    leasesPerStart: fleet.leases / fleet.starts.length,
    lapsed: fleet.mutexes.map((m) => m.view().lapsed),
    p3: waits('P3').length,
  };
};

describe('flood', () => {
  for (const [R, pods, late] of [[200, 2, 0], [200, 2, 1.2], [200,2,3], [200, 4, 1.2], [2000, 2, 1.2], [50, 2, 1.2], [200, 1, 1.2],[1000,3,2]] as const)
    it(`R ${R} pods ${pods} late ${late}`, async () => {
      const fleet = new Fleet({ ratePerSecond: R, pods, timerLateMs: late });
      for (let p = 0; p < pods; p++) fleet.lane(p, 'P3').flood(() => (fleet.random() < 0.1 ? 3 : 1));
      fleet.poisson('P1', R / 10);
      fleet.poisson('P2', R / 40);
      await fleet.time.run(2000);
      const from = fleet.time.monotonic();
      const t0 = performance.now();
      const c0 = process.cpuUsage().user;
      await fleet.time.run(60_000);
      console.log(R, pods, late, JSON.stringify(figures(fleet, from, 60)), Math.round(performance.now() - t0), (process.cpuUsage().user-c0)/1000);
    }, 60000);
});
