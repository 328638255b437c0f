import fc from 'fast-check';
import type { ScopeContract } from '../scope-contract.js';
import { Fleet, peakGranted, peakUnits, unitsOf, type FleetOptions, type Start } from './fleet.js';
import { live, lives } from './life.js';

const R = 200;
/** A horizon, a late timer and the poll by which an idle pod hears that its standing stock is smaller. */
const SETTLED_MS = 150 + 5 + 250;
const SHARES = { P1: 0.2, P2: 0.3, P3: 0.5 };

function flooded(over: Partial<FleetOptions> = {}): Fleet {
  const fleet = new Fleet({ ratePerSecond: R, pods: 2, timerLateMs: 1.2, ...over });
  for (let pod = 0; pod < fleet.options.pods; pod++) fleet.lane(pod, 'P3').flood(() => 1);
  fleet.poisson('P1', R / 10);
  return fleet;
}

/** Pod `pod` reads version `version` of its catalogue. */
function tell(fleet: Fleet, pod: number, version: number, over: Partial<ScopeContract>): void {
  fleet.mutexes[pod]?.setContract({ ratePerSecond: R, shares: SHARES, ...over, catalogueVersion: version });
}

async function during(fleet: Fleet, ms: number): Promise<Start[]> {
  const from = fleet.time.monotonic();
  await fleet.time.run(ms);
  return fleet.starts.filter((s) => s.atMs >= from);
}
const ratesOf = (fleet: Fleet): number[] => fleet.mutexes.map((m) => m.view().ratePerSecond);

describe('the contract of a scope', () => {
  it('R halved: at once for all when the first pod says so, never above the old R, and the new one after a horizon', async () => {
    const fleet = flooded();
    await fleet.time.run(3000);
    tell(fleet, 0, 2, { ratePerSecond: R / 2 });
    await fleet.time.run(SETTLED_MS);
    expect(ratesOf(fleet)).toEqual([R / 2, R / 2]);
    expect(fleet.mutexes.map((m) => m.view().catalogue)).toEqual([
      { version: 2, oldest: 1, newest: 2, podsDisagree: true },
      { version: 1, oldest: 1, newest: 2, podsDisagree: true },
    ]);
    const alone = await during(fleet, 3000);
    tell(fleet, 1, 2, { ratePerSecond: R / 2 });
    const both = await during(fleet, 3000);
    expect(peakGranted(fleet.starts)).toBeLessThanOrEqual(R);
    expect(peakGranted([...alone, ...both])).toBeLessThanOrEqual(R / 2);
    expect(unitsOf(both) / 3).toBeGreaterThan((R / 2) * 0.95);
    expect(fleet.mutexes.map((m) => m.view().catalogue.podsDisagree)).toEqual([false, false]);
  });

  it('R doubled: the smaller one counts while anybody still has it, then the new one', async () => {
    const fleet = flooded({ pods: 3 });
    await fleet.time.run(3000);
    for (const pod of [0, 2]) {
      tell(fleet, pod, 2, { ratePerSecond: 2 * R });
      await fleet.time.run(2000);
    }
    expect(ratesOf(fleet)).toEqual([R, R, R]);
    expect(peakGranted(fleet.starts)).toBeLessThanOrEqual(R);
    tell(fleet, 1, 2, { ratePerSecond: 2 * R });
    await fleet.time.run(500);
    const after = await during(fleet, 3000);
    expect(unitsOf(after) / 3).toBeGreaterThan(2 * R * 0.95);
    expect(peakGranted(fleet.starts)).toBeLessThanOrEqual(2 * R);
    expect(peakUnits(fleet.starts)).toBeLessThanOrEqual(2 * R * 1.02 + 1);
  });

  it('does not wait for a pod that died with the smaller R', async () => {
    const fleet = flooded();
    await fleet.time.run(1000);
    tell(fleet, 0, 2, { ratePerSecond: 2 * R });
    await fleet.time.run(1000);
    expect(ratesOf(fleet)[0]).toBe(R);
    await fleet.mutexes[1]?.stop();
    fleet.lane(0, 'P3').owned = 1;
    await fleet.time.run(500);
    expect(ratesOf(fleet)[0]).toBe(2 * R);
  });

  it('shares: those of the newest catalogue count for every pod', async () => {
    const fleet = flooded();
    for (const pod of [0, 1]) fleet.lane(pod, 'P2').flood(() => 1);
    for (const pod of [0, 1]) fleet.mutexes[pod]?.setMode('noop');
    await fleet.time.run(1000);
    const of = (starts: readonly Start[], p: string): number =>
      unitsOf(starts.filter((s) => s.priority === p));
    const before = await during(fleet, 4000);
    const shares = { P1: 0.2, P2: 0.6, P3: 0.2 };
    tell(fleet, 1, 2, { shares });
    await fleet.time.run(SETTLED_MS);
    expect(fleet.mutexes.map((m) => m.view().shares)).toEqual([shares, shares]);
    const after = await during(fleet, 4000);
    const ratio = (starts: readonly Start[]): number => of(starts, 'P2') / of(starts, 'P3');
    expect(ratio(after)).toBeGreaterThan(2 * ratio(before));
    expect(peakGranted(fleet.starts)).toBeLessThanOrEqual(R);
  });

  it('a pod alone goes down with its catalogue at once, and up only with the others', async () => {
    const fleet = flooded({ pods: 1 });
    await fleet.time.run(2000);
    for (const wire of fleet.wires) wire.cut = true;
    await fleet.time.run(2000);
    tell(fleet, 0, 2, { ratePerSecond: 2 * R });
    await fleet.time.run(500);
    expect(unitsOf(await during(fleet, 2000)) / 2).toBeLessThanOrEqual(R);
    tell(fleet, 0, 3, { ratePerSecond: R / 2 });
    await fleet.time.run(500);
    expect(peakUnits(await during(fleet, 2000))).toBeLessThanOrEqual((R / 2) * 1.02 + 1);
    tell(fleet, 0, 4, { ratePerSecond: 2 * R });
    for (const wire of fleet.wires) wire.cut = false;
    await fleet.time.run(500);
    expect(unitsOf(await during(fleet, 2000)) / 2).toBeGreaterThan(2 * R * 0.94);
  });

  it('shares that change while a pod is alone change for nobody, so that both parts stay within R', async () => {
    const fleet = flooded();
    await fleet.time.run(2000);
    (fleet.wires[1] as { cut: boolean }).cut = true;
    await fleet.time.run(2000);
    for (const pod of [0, 1]) tell(fleet, pod, 2, { shares: { P1: 0.1, P2: 0.1, P3: 0.8 } });
    const apart = await during(fleet, 3000);
    expect(peakUnits(apart)).toBeLessThanOrEqual(R * 1.02 + 1);
    expect(fleet.mutexes[0]?.view().shares).toEqual(SHARES);
    (fleet.wires[1] as { cut: boolean }).cut = false;
    await fleet.time.run(1500);
    expect(fleet.mutexes.map((m) => m.view().shares.P3)).toEqual([0.8, 0.8]);
    expect(peakUnits(fleet.starts)).toBeLessThanOrEqual(R * 1.02 + 1);
  });

  it('refuses a contract that breaks a rule by the name of its field, and keeps the one before', () => {
    const fleet = new Fleet({ ratePerSecond: R, pods: 1 });
    const bad: [Partial<ScopeContract>, string][] = [
      [{ ratePerSecond: 0 }, 'ratePerSecond'],
      [{ ratePerSecond: -1 }, 'ratePerSecond'],
      [{ ratePerSecond: NaN }, 'ratePerSecond'],
      [{ shares: { P1: 0.2, P2: 0.3, P3: 0.4 } }, 'shares'],
      [{ shares: { P1: -0.2, P2: 0.7, P3: 0.5 } }, 'shares'],
    ];
    for (const [over, field] of bad) expect(() => tell(fleet, 0, 2, over)).toThrow(field);
    expect(fleet.mutexes[0]?.view()).toMatchObject({ ratePerSecond: R, catalogue: { version: 1 } });
  });

  it.each([
    [{ holdMs: 90 }, 'timing.holdMs'],
    [{ holdMs: 150, pressRefreshMs: 160 }, 'timing.holdMs'],
    [{ strictHoldMs: 50 }, 'timing.strictHoldMs'],
    [{ horizonMs: 100 }, 'timing.horizonMs'],
  ])('does not start with durations that mean nothing between pods: %o', (timing, field) => {
    expect(() => new Fleet({ ratePerSecond: R, pods: 1, timing })).toThrow(field);
  });

  it('does not start without an R above 0', () => {
    expect(() => new Fleet({ ratePerSecond: 0, pods: 1 })).toThrow('ratePerSecond');
  });

  const plan = lives({ rate: fc.constantFrom(100, 200, 400), p3: fc.constantFrom(0.2, 0.5, 0.7) });

  it('may change at any moment on any pod: no second holds more than the largest R that counted in it, and all is sent', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ seed, pods, steps }) => {
        const fleet = new Fleet({ ratePerSecond: R, pods, seed, timerLateMs: 1.2 });
        const rates = Array.from({ length: pods }, () => R);
        const counted: { fromMs: number; rate: number }[] = [{ fromMs: -Infinity, rate: R }];
        const left = await live(fleet, steps, (s, pod, n) => {
          rates[pod] = s.rate;
          counted.push({ fromMs: fleet.time.monotonic(), rate: Math.min(...rates) });
          const shares = { P1: 0.2, P2: 0.8 - s.p3, P3: s.p3 };
          tell(fleet, pod, n + 2, { ratePerSecond: s.rate, shares });
        });
        expect(left).toBe(0);
        expect(overshoots(fleet.starts, counted)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  }, 300_000);
});

/** Seconds in which more was granted than the largest R that counted in them, or shortly before. */
function overshoots(
  starts: readonly Start[],
  counted: readonly { fromMs: number; rate: number }[],
): { atMs: number; units: number; most: number }[] {
  const due = starts.flatMap((s) => [...s.departuresMs]).sort((a, b) => a - b);
  return due.flatMap((atMs, i) => {
    let j = i;
    while (j < due.length && (due[j] as number) < atMs + 1000 - 1e-6) j++;
    const inForce = counted.filter(
      (c, n) => c.fromMs < atMs + 1000 && (counted[n + 1]?.fromMs ?? Infinity) > atMs - SETTLED_MS,
    );
    const most = Math.max(...inForce.map((c) => c.rate));
    return j - i > most ? [{ atMs, units: j - i, most }] : [];
  });
}
