import { Fleet, peakUnits, quantile, unitsOf } from './fleet.js';

const flooded = (pods = 2) => {
  const fleet = new Fleet({ ratePerSecond: 200, pods, timerLateMs: 1.2 });
  for (let p = 0; p < pods; p++) fleet.lane(p, 'P3').flood(() => 1);
  fleet.poisson('P1', 20);
  return fleet;
};

describe('without the coordinator', () => {
  it('each pod spends its own share, P1 first, and never waits for ever', async () => {
    const fleet = flooded();
    await fleet.time.run(3000);
    for (const w of fleet.wires) w.cut = true;
    await fleet.time.run(1000);
    const from = fleet.time.monotonic();
    await fleet.time.run(10_000);
    const starts = fleet.starts.filter((s) => s.atMs >= from);
    expect(fleet.mutexes.map((m) => m.view().authority)).toEqual(['alone', 'alone']);
    expect(unitsOf(starts) / 10).toBeGreaterThan(185);
    expect(peakUnits(fleet.starts)).toBeLessThanOrEqual(205);
    expect(
      quantile(
        starts.filter((s) => s.priority === 'P1').map((s) => s.waitMs),
        0.99,
      ),
    ).toBeLessThanOrEqual(25);
  });

  it('one pod cut off and one heard never exceed R together, before, during and after', async () => {
    const fleet = flooded();
    await fleet.time.run(3000);
    (fleet.wires[0] as { cut: boolean }).cut = true;
    await fleet.time.run(5000);
    expect(fleet.mutexes.map((m) => m.view().authority)).toEqual(['alone', 'coordinated']);
    const during = fleet.starts.filter((s) => s.atMs >= fleet.time.monotonic() - 3000);
    (fleet.wires[0] as { cut: boolean }).cut = false;
    await fleet.time.run(5000);
    expect(fleet.mutexes.map((m) => m.view().authority)).toEqual(['coordinated', 'coordinated']);
    expect(unitsOf(during) / 3).toBeGreaterThan(180);
    expect(peakUnits(fleet.starts)).toBeLessThanOrEqual(205);
  });

  it('a coordinator that lost its memory grants nothing twice', async () => {
    const fleet = flooded();
    await fleet.time.run(3000);
    for (let i = 0; i < 5; i++) {
      fleet.coordinator.forget();
      await fleet.time.run(2000);
    }
    expect(peakUnits(fleet.starts)).toBeLessThanOrEqual(205);
  });

  it('pods that hear the coordinator leave the share of a class to those that do not, whatever class it is', async () => {
    const fleet = new Fleet({ ratePerSecond: 200, pods: 2 });
    // as in production: P1 in a pod of its own
    for (const [pod, classes] of [['P1'], ['P2', 'P3']].entries())
      for (const p of ['P1', 'P2', 'P3'] as const) fleet.lane(pod, p).owned = classes.includes(p) ? 1 : 0;
    fleet.lane(0, 'P1').flood(() => 1);
    fleet.lane(1, 'P3').flood(() => 1);
    await fleet.time.run(3000);
    (fleet.wires[0] as { cut: boolean }).cut = true;
    await fleet.time.run(6000);
    expect(fleet.mutexes.map((m) => m.view().authority)).toEqual(['alone', 'coordinated']);
    expect(peakUnits(fleet.starts)).toBeLessThanOrEqual(205);
  });

  it('an answer that never arrives makes a pod unheard', async () => {
    const fleet = new Fleet({ ratePerSecond: 200, pods: 2, mode: 'noop' });
    fleet.lane(1, 'P3').flood(() => 1);
    // what the deaf pod serves by itself, the coordinator hardly sees as its demand
    fleet.poisson('P1', 50, () => 1, 1);
    await fleet.time.run(3000);
    (fleet.wires[0] as { deaf: boolean }).deaf = true;
    await fleet.time.run(6000);
    expect(fleet.mutexes.map((m) => m.view().authority)).toEqual(['alone', 'coordinated']);
    expect(peakUnits(fleet.starts)).toBeLessThanOrEqual(205);
    (fleet.wires[0] as { deaf: boolean }).deaf = false;
    await fleet.time.run(3000);
    expect(fleet.mutexes.map((m) => m.view().authority)).toEqual(['coordinated', 'coordinated']);
    expect(peakUnits(fleet.starts)).toBeLessThanOrEqual(205);
  });

  it('a pod that is frozen comes back without using what lapsed', async () => {
    const fleet = flooded();
    await fleet.time.run(3000);
    fleet.freeze(0, 1500);
    await fleet.time.run(6000);
    expect(peakUnits(fleet.starts)).toBeLessThanOrEqual(205);
    expect(fleet.mutexes[0]?.view().authority).toBe('coordinated');
  });

  it('a pod that comes and one that goes leave the rate where it is', async () => {
    const fleet = flooded();
    await fleet.time.run(3000);
    const pod = fleet.addPod(200);
    fleet.lane(pod, 'P3').flood(() => 1);
    await fleet.time.run(3000);
    expect(fleet.starts.some((s) => s.pod === pod)).toBe(true);
    void fleet.mutexes[0]?.stop();
    await fleet.time.run(500);
    const from = fleet.time.monotonic();
    await fleet.time.run(5000);
    const after = fleet.starts.filter((s) => s.atMs >= from);
    expect(after.some((s) => s.pod === 0)).toBe(false);
    expect(unitsOf(after) / 5).toBeGreaterThan(185);
    expect(peakUnits(fleet.starts)).toBeLessThanOrEqual(205);
  });

  it.each([0, 40, 90, 140, 190, 240])(
    'a pod whose last call announced more and got no answer is alone no sooner than the coordinator misses it (%d ms)',
    async (afterMs) => {
      const fleet = new Fleet({ ratePerSecond: 200, pods: 2 });
      for (const p of ['P1', 'P2', 'P3'] as const)
        for (const pod of [0, 1]) fleet.lane(pod, p).owned = pod === 0 ? 1 : 0;
      fleet.lane(1, 'P3').flood(() => 1);
      for (let i = 0; i < 40; i++) {
        fleet.lane(0, 'P3').arrive(1);
        await fleet.time.run(50);
      }
      // idle now: its next call announces a poll, and is not answered
      await fleet.time.run(afterMs);
      (fleet.wires[0] as { deaf: boolean }).deaf = true;
      await fleet.time.run(300);
      (fleet.wires[0] as { cut: boolean }).cut = true;
      fleet.lane(0, 'P3').flood(() => 1);
      await fleet.time.run(3000);
      expect(peakUnits(fleet.starts)).toBeLessThanOrEqual(205);
    },
  );
});
