import { Fleet } from './fleet.js';

const MAX_BLOCK_MS = 6_000;

describe('the minimum share in mode strict', () => {
  it.each([2, 3])(
    '%d pods, P1 at three quarters of R: no block beyond the longest, and 1 % of R over any two of them',
    async (pods) => {
      const R = 200;
      const timing = { maxBlockMs: MAX_BLOCK_MS };
      const fleet = new Fleet({ ratePerSecond: R, pods, mode: 'strict', timerLateMs: 1.2, timing });
      for (let pod = 0; pod < pods; pod++) fleet.lane(pod, 'P3').flood(() => 1);
      await fleet.time.run(2_000);
      const from = fleet.time.monotonic();
      fleet.poisson('P1', 0.75 * R);
      fleet.poisson('P2', 5);
      await fleet.time.run(6 * MAX_BLOCK_MS);
      const starts = fleet.starts
        .filter((s) => s.priority === 'P3' && s.atMs >= from - 100)
        .map((s) => s.atMs);
      const longest = Math.max(...starts.slice(1).map((t, i) => t - (starts[i] as number)));
      const windowMs = 2 * MAX_BLOCK_MS;
      const inWindow = (from: number): number =>
        starts.filter((t) => t > from && t <= from + windowMs).length;
      const whole = starts.filter((t) => t + windowMs <= fleet.time.monotonic());
      const least = Math.min(...whole.map(inWindow));
      const part = least / (R * (windowMs / 1000));
      console.info(JSON.stringify({ pods, longest, least, part }));
      expect(longest).toBeLessThanOrEqual(MAX_BLOCK_MS);
      expect(part).toBeGreaterThanOrEqual(0.01);
    },
  );
});
