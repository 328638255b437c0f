import type { Priority } from '@commservice/contracts';
import { Fleet, peakUnits, quantile, unitsOf } from './fleet.js';

const P1_PODS = 1;
const classesOf = (pod: number): readonly Priority[] => (pod < P1_PODS ? ['P1'] : ['P2', 'P3']);

/** P1 in pods of its own, P2 and P3 in the others, flooded with P3; 20 s after the first two. */
async function flooded(pods: number, p1PerSecond: number) {
  const R = 200;
  const fleet = new Fleet({ ratePerSecond: R, pods, timerLateMs: 1.2, classesOf });
  for (let pod = 0; pod < pods; pod++) {
    const alike = pod < P1_PODS ? P1_PODS : pods - P1_PODS;
    for (const c of classesOf(pod)) fleet.lane(pod, c).owned = 1 / alike;
    if (pod >= P1_PODS) fleet.lane(pod, 'P3').flood(() => 1);
  }
  fleet.poisson('P1', p1PerSecond, () => 1, P1_PODS);
  await fleet.time.run(2_000);
  const from = fleet.time.monotonic();
  await fleet.time.run(20_000);
  const starts = fleet.starts.filter((s) => s.atMs >= from);
  const p1 = starts.filter((s) => s.priority === 'P1').map((s) => s.waitMs);
  return { used: unitsOf(starts) / 20 / R, p1P99: quantile(p1, 0.99), peak: peakUnits(fleet.starts) };
}

describe('P1 in pods of its own', () => {
  it.each([
    [2, 20],
    [2, 2],
    [3, 20],
  ])(
    '%d pods, %d P1/s: a code beyond the standing stock waits for a press, and no longer',
    async (pods, p1PerSecond) => {
      const figures = await flooded(pods, p1PerSecond);
      console.info(JSON.stringify({ pods, p1PerSecond, ...figures }));
      // 0.97 and 8 ms where each pod runs all lanes: P1 takes its pod's next departure then, whatever it was granted for
      expect(figures.used).toBeGreaterThan(0.85);
      expect(figures.p1P99).toBeLessThan(100);
      expect(figures.peak).toBeLessThanOrEqual(205);
    },
  );
});
