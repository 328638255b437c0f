import { Fleet, peakUnits, quantile } from './fleet.js';

async function burst(counts: readonly number[], floods: readonly boolean[]) {
  const fleet = new Fleet({ ratePerSecond: 200, pods: counts.length, timerLateMs: 1.2 });
  floods.forEach((on, pod) => on && fleet.lane(pod, 'P3').flood(() => (fleet.random() < 0.1 ? 3 : 1)));
  await fleet.time.run(3000);
  const from = fleet.time.monotonic();
  counts.forEach((n, pod) => Array.from({ length: n }, () => fleet.lane(pod, 'P1').arrive(1)));
  await fleet.time.run(4000);
  const p1 = fleet.starts.filter((s) => s.priority === 'P1' && s.atMs >= from);
  const last = Math.max(...p1.map((s) => s.atMs));
  const lower = fleet.starts.filter((s) => s.priority === 'P3' && s.atMs >= from);
  return {
    sent: p1.length,
    tookMs: Math.round(last - from),
    lateLower: lower.filter((s) => s.atMs > from + 50 && s.atMs < last).length,
    lastEarlyLower: Math.round(Math.max(0, ...lower.filter((s) => s.atMs < last).map((s) => s.atMs - from))),
    resumedMs: Math.round((lower.find((s) => s.atMs > last)?.atMs ?? Infinity) - last),
    peak: peakUnits(fleet.starts),
  };
}

describe('a burst of P1', () => {
  for (const [counts, floods] of [
    [
      [400, 0],
      [true, true],
    ],
    [
      [200, 200],
      [true, true],
    ],
    [
      [400, 0],
      [false, true],
    ],
    [
      [300, 100],
      [true, true],
    ],
    [
      [400, 0, 0, 0],
      [true, true, true, true],
    ],
  ] as const)
    it(`of ${counts.join(' and ')} uses the full rate, stops lower classes everywhere and lets them go on after`, async () => {
      const b = await burst(counts, floods);
      expect(b.sent).toBe(400);
      expect(b.tookMs).toBeLessThanOrEqual(2000 * 1.06);
      expect(b.lateLower).toBe(0);
      expect(b.resumedMs).toBeLessThanOrEqual(250);
      expect(b.peak).toBeLessThanOrEqual(205);
    });

  it('that is small goes at once or with the next departures of its pod', async () => {
    const fleet = new Fleet({ ratePerSecond: 200, pods: 2, timerLateMs: 1.2 });
    for (const pod of [0, 1]) fleet.lane(pod, 'P3').flood(() => 1);
    await fleet.time.run(3000);
    for (let i = 0; i < 40; i++) {
      for (let k = 0; k < 5; k++) fleet.lane(0, 'P1').arrive(1);
      await fleet.time.run(500);
    }
    const waits = fleet.starts.filter((s) => s.priority === 'P1').map((s) => s.waitMs);
    expect(quantile(waits, 0.4)).toBe(0);
    expect(quantile(waits, 1)).toBeLessThanOrEqual(45);
  });
});
