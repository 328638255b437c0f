import { Fleet } from './fleet.js';
import { peakUnits } from './starts.js';

describe('a scope whose R was tiny for a moment', () => {
  it.each([1, 0.1])('departs at once when R is 200 again after %d/s', async (tiny) => {
    const fleet = new Fleet({ ratePerSecond: 200, pods: 2, timerLateMs: 1.2 });
    for (const pod of [0, 1]) fleet.lane(pod, 'P3').flood(() => 1);
    await fleet.time.run(2000);
    const set = (ratePerSecond: number, catalogueVersion: number): void =>
      fleet.mutexes.forEach((m) =>
        m.setContract({ ratePerSecond, catalogueVersion, shares: { P1: 0.2, P2: 0.3, P3: 0.5 } }),
      );
    set(tiny, 2);
    await fleet.time.run(3000);
    set(200, 3);
    const from = fleet.time.monotonic();
    for (const pod of [0, 1]) fleet.lane(pod, 'P1').arrive(1);
    await fleet.time.run(1500);
    const codes = fleet.starts.filter((s) => s.priority === 'P1' && s.atMs >= from);
    expect(codes).toHaveLength(2);
    expect(Math.max(...codes.map((s) => s.waitMs))).toBeLessThanOrEqual(600);
    expect(peakUnits(fleet.starts.filter((s) => s.atMs >= from))).toBeLessThanOrEqual(205);
  });
});
