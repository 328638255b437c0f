import fc from 'fast-check';
import { Fleet, peakGranted, peakUnits, type Start } from './fleet.js';

const plan = fc.record({
  seed: fc.integer({ min: 1, max: 1e6 }),
  pods: fc.integer({ min: 1, max: 4 }),
  rate: fc.constantFrom(40, 100, 200, 333, 500),
  mode: fc.constantFrom('contention' as const, 'strict' as const, 'noop' as const),
  wireMs: fc.constantFrom(0.1, 0.5, 3),
  flood: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  steps: fc.array(
    fc.record({
      afterMs: fc.constantFrom(0, 3, 17, 60, 250, 900),
      pod: fc.integer({ min: 0, max: 3 }),
      priority: fc.constantFrom('P1' as const, 'P1' as const, 'P2' as const, 'P3' as const),
      count: fc.constantFrom(1, 1, 2, 9, 40),
      freezeMs: fc.constantFrom(0, 0, 0, 0, 300, 2500),
      cut: fc.constantFrom(undefined, undefined, undefined, true, false),
      clockBackMs: fc.constantFrom(0, 0, 0, 0, 40, 5000),
    }),
    { minLength: 1, maxLength: 14 },
  ),
});
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

/** Runs a plan, then lets everything finite drain. */
async function live(p: Plan, faults: boolean): Promise<Fleet> {
  const fleet = new Fleet({
    ratePerSecond: p.rate,
    pods: p.pods,
    mode: p.mode,
    seed: p.seed,
    wireMs: p.wireMs,
  });
  for (let pod = 0; pod < p.pods; pod++) if (p.flood[pod]) fleet.lane(pod, 'P3').flood(() => 1);
  await fleet.time.run(1000);
  for (const s of p.steps) {
    const pod = s.pod % p.pods;
    await fleet.time.run(s.afterMs);
    if (faults && s.freezeMs > 0) fleet.freeze(pod, s.freezeMs);
    if (faults) fleet.coordinatorClockMs -= s.clockBackMs;
    if (faults && s.cut !== undefined) for (const w of fleet.wires) w.cut = s.cut;
    for (let i = 0; i < s.count; i++) fleet.lane(pod, s.priority).arrive(1);
  }
  for (const w of fleet.wires) w.cut = false;
  for (let pod = 0; pod < p.pods; pod++) fleet.lane(pod, 'P3').endless = undefined;
  await fleet.time.run(25_000);
  return fleet;
}

const waiting = (fleet: Fleet): number =>
  fleet.lanes.reduce((sum, l) => sum + l.P1.queue.length + l.P2.queue.length + l.P3.queue.length, 0);

/** A lower start while a P1, already older than the time to press and to be heard, still waited. */
function lateStarts(starts: readonly Start[], limitMs: number): Start[] {
  const p1 = starts.filter((s) => s.priority === 'P1' && s.waitMs > limitMs);
  return starts.filter(
    (s) => s.priority !== 'P1' && p1.some((u) => u.atMs - u.waitMs < s.atMs - limitMs && u.atMs > s.atMs),
  );
}

describe('a fleet of pods', () => {
  it('grants at most R units for any second and starts at most 1.02 R + 1, whatever arrives where', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (p) => {
        const fleet = await live(p, false);
        expect(peakGranted(fleet.starts)).toBeLessThanOrEqual(p.rate);
        expect(peakUnits(fleet.starts)).toBeLessThanOrEqual(p.rate * 1.02 + 1);
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  it('starts at most 1.02 R + 1 units in any second and loses no wake-up while pods freeze, the coordinator is silent for all and its clock goes back', async () => {
    await fc.assert(
      // the promise holds for R >= 50 and 20 a pod; below, pods that count alone round to whole units
      fc.asyncProperty(
        plan.filter((p) => p.rate >= 50),
        async (p) => {
          const fleet = await live(p, true);
          expect(peakUnits(fleet.starts)).toBeLessThanOrEqual(p.rate * 1.02 + 1);
          expect(waiting(fleet)).toBe(0);
        },
      ),
      { numRuns: 40 },
    );
  }, 120_000);

  it('starts nothing lower on any pod once a P1 has waited long enough to press', async () => {
    await fc.assert(
      fc.asyncProperty(
        plan.filter((p) => p.mode !== 'noop'),
        async (p) => {
          const fleet = await live(p, false);
          const patience = Math.max(25, (2000 * p.pods) / p.rate);
          expect(lateStarts(fleet.starts, patience + 4 * p.wireMs + 5)).toEqual([]);
          expect(waiting(fleet)).toBe(0);
        },
      ),
      { numRuns: 40 },
    );
  }, 120_000);

  it('takes P1 before P2 before P3 within a pod, each class in order', async () => {
    const fleet = new Fleet({ ratePerSecond: 100, pods: 1 });
    await fleet.time.run(1000);
    for (const p of ['P3', 'P2', 'P1'] as const) for (let i = 0; i < 20; i++) fleet.lane(0, p).arrive(1);
    await fleet.time.run(3000);
    const order = fleet.starts.map((s) => s.priority).join('');
    expect(order).toMatch(/^(P3|P2){0,2}(P1){20}(P2){18,20}(P3){18,20}$/);
  });
});
