import type { MutexMode } from '@commservice/contracts';
import fc from 'fast-check';
import type { ScopeMutex } from '../scope-mutex.js';
import { opened } from './faulty/mutexes.js';
import { Fleet, peakUnits, unitsOf, type FleetOptions, type Start } from './fleet.js';
import { live, lives } from './life.js';

const R = 200;

/** An endless P3 on every pod and P1 at a tenth of R. */
function flooded(over: Partial<FleetOptions> = {}): Fleet {
  const fleet = new Fleet({ ratePerSecond: R, pods: 2, timerLateMs: 1.2, ...over });
  for (let pod = 0; pod < fleet.options.pods; pod++) fleet.lane(pod, 'P3').flood(() => 1);
  fleet.poisson('P1', R / 10);
  return fleet;
}

/** Tells every pod, the later ones up to 1 s after the first, as their polls do. */
async function switchAll(fleet: Fleet, mode: MutexMode): Promise<void> {
  for (const mutex of fleet.mutexes) {
    mutex.setMode(mode);
    await fleet.time.run(fleet.random() * (1000 / fleet.mutexes.length));
  }
}

async function during(fleet: Fleet, ms: number): Promise<Start[]> {
  const from = fleet.time.monotonic();
  await fleet.time.run(ms);
  return fleet.starts.filter((s) => s.atMs >= from);
}

const of = (starts: readonly Start[], priority: string): Start[] =>
  starts.filter((s) => s.priority === priority);
const longestGapMs = (starts: readonly Start[]): number =>
  starts.reduce((most, s, i) => Math.max(most, s.atMs - (starts[i - 1] ?? s).atMs), 0);
/** How long after the latest P1, on any pod, each P3 started, ms. */
function sinceP1(starts: readonly Start[]): number[] {
  let lastMs = -Infinity;
  return starts.flatMap((s) => {
    if (s.priority === 'P1') lastMs = s.atMs;
    return s.priority === 'P3' ? [s.atMs - lastMs] : [];
  });
}
const waiting = (fleet: Fleet): number =>
  fleet.lanes.reduce((sum, l) => sum + l.P1.queue.length + l.P2.queue.length + l.P3.queue.length, 0);

describe('the mode of a scope', () => {
  it('changes under a flood without losing a wake-up: P1 is served, R is kept, lower classes go as the mode says', async () => {
    const fleet = flooded();
    await fleet.time.run(2000);
    const seen: Record<string, Start[]> = {};
    for (const mode of ['contention', 'strict', 'noop', 'contention'] as const) {
      await switchAll(fleet, mode);
      // a hold of the mode before may last this long
      await fleet.time.run(500);
      const starts = await during(fleet, 10_000);
      seen[mode] = starts;
      expect(of(starts, 'P1').length).toBeGreaterThan(120);
      expect(fleet.mutexes.map((m) => m.view().mode)).toEqual([mode, mode]);
    }
    await fleet.time.run(500);
    expect(waiting(fleet)).toBeLessThanOrEqual(3);
    expect(peakUnits(fleet.starts)).toBeLessThanOrEqual(R * 1.02 + 1);
    const p3 = (mode: string): Start[] => of(seen[mode] ?? [], 'P3');
    // P1 every 50 ms and a hold of 300 ms: strict leaves P3 the rare gaps
    expect(unitsOf(p3('strict'))).toBeLessThan(unitsOf(p3('contention')) / 4);
    expect(sinceP1(seen['strict'] ?? []).filter((ms) => ms > 5 && ms < 290)).toEqual([]);
    expect(sinceP1(seen['contention'] ?? []).some((ms) => ms > 5 && ms < 290)).toBe(true);
    for (const mode of ['contention', 'noop']) {
      expect(unitsOf(seen[mode] ?? []) / 10).toBeGreaterThan(R * 0.94);
      expect(longestGapMs(p3(mode))).toBeLessThanOrEqual(250);
    }
  });

  it('in noop nothing gives way to a press, and in contention again at once on every pod', async () => {
    const fleet = flooded({ mode: 'noop' });
    await fleet.time.run(1000);
    fleet.lane(1, 'P1').joined.pressAccount('throttled', fleet.time.monotonic() + 60_000);
    expect(unitsOf(of(await during(fleet, 1000), 'P3'))).toBeGreaterThan(R * 0.4);
    for (const mutex of fleet.mutexes) mutex.setMode('contention');
    await fleet.time.run(5);
    expect(of(await during(fleet, 2000), 'P3')).toEqual([]);
    for (const mutex of fleet.mutexes) mutex.setMode('noop');
    const first = of(await during(fleet, 1000), 'P3');
    expect((first[0]?.atMs ?? Infinity) - (fleet.time.monotonic() - 1000)).toBeLessThanOrEqual(250);
  });

  it.each([1, 2])(
    'goes to local and back with %d pods: R is kept, and P1 waits no longer than a horizon and a lease',
    async (pods) => {
      const fleet = flooded({ pods });
      await fleet.time.run(2000);
      for (const mode of ['local', 'contention', 'local', 'strict'] as const) {
        const leases = fleet.leases;
        await switchAll(fleet, mode);
        await fleet.time.run(500);
        const asked = fleet.leases;
        expect(of(await during(fleet, 3000), 'P1').length).toBeGreaterThan(30);
        if (mode === 'local') expect(fleet.leases).toBe(asked);
        else expect(fleet.leases).toBeGreaterThan(leases + 20);
      }
      expect(peakUnits(fleet.starts)).toBeLessThanOrEqual(R * 1.02 + 1);
      expect(Math.max(...of(fleet.starts, 'P1').map((s) => s.waitMs))).toBeLessThanOrEqual(300);
      expect(waiting(fleet)).toBeLessThanOrEqual(3);
    },
  );

  it('hears the presses of other pods at once again after a time in local', async () => {
    const fleet = new Fleet({ ratePerSecond: R, pods: 2 });
    fleet.lane(0, 'P3').flood(() => 1);
    for (const mode of ['local', 'contention'] as const) {
      await switchAll(fleet, mode);
      await fleet.time.run(1000);
    }
    fleet.lane(1, 'P1').joined.pressAccount('throttled', fleet.time.monotonic() + 500);
    await fleet.time.run(5);
    expect(await during(fleet, 500)).toEqual([]);
  });

  it('goes to local while the coordinator is silent, and comes back to it', async () => {
    const fleet = flooded({ pods: 1 });
    await fleet.time.run(2000);
    for (const wire of fleet.wires) wire.cut = true;
    await fleet.time.run(2000);
    expect(fleet.mutexes[0]?.view().authority).toBe('alone');
    fleet.mutexes[0]?.setMode('local');
    await fleet.time.run(200);
    expect(unitsOf(await during(fleet, 6000)) / 6).toBeGreaterThan(R * 0.94);
    for (const wire of fleet.wires) wire.cut = false;
    fleet.mutexes[0]?.setMode('contention');
    await fleet.time.run(500);
    expect(fleet.mutexes[0]?.view()).toMatchObject({ mode: 'contention', authority: 'coordinated' });
    expect(unitsOf(await during(fleet, 6000)) / 6).toBeGreaterThan(R * 0.94);
    expect(peakUnits(fleet.starts)).toBeLessThanOrEqual(R * 1.02 + 1);
  });

  it('may change back and forth within one call', async () => {
    const fleet = flooded({ pods: 1 });
    const [mutex] = fleet.mutexes;
    for (const mode of ['local', 'noop', 'local', 'contention', 'strict', 'contention'] as const)
      mutex?.setMode(mode);
    await fleet.time.run(1000);
    expect(unitsOf(await during(fleet, 3000)) / 3).toBeGreaterThan(R * 0.94);
    expect(peakUnits(fleet.starts)).toBeLessThanOrEqual(R * 1.02 + 1);
  });

  const plan = lives({ mode: fc.constantFrom<MutexMode>('contention', 'strict', 'noop', 'local') });

  it('may change at any moment, for any pod before the others: R is kept and everything is sent', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ seed, pods, steps }) => {
        const fleet = new Fleet({ ratePerSecond: R, pods, seed, timerLateMs: 1.2 });
        // several pods in local have a standing stock each
        const left = await live(fleet, steps, ({ mode }, pod) =>
          fleet.mutexes[pod]?.setMode(mode === 'local' && pods > 1 ? 'noop' : mode),
        );
        expect(left).toBe(0);
        expect(peakUnits(fleet.starts)).toBeLessThanOrEqual(R * 1.02 + 1);
      }),
      { numRuns: 30 },
    );
  }, 300_000);
});

describe('a mode that changes while the coordinator is in doubt', () => {
  it('ends what the doubt kept back for P1', async () => {
    const fleet = flooded({ pods: 1 });
    await fleet.time.run(2000);
    const mutex = fleet.mutexes[0] as ScopeMutex;
    const { standing } = opened(mutex).parts.departures;
    for (const wire of fleet.wires) wire.cut = true;
    await fleet.time.run(150);
    expect(standing.bridging).toBe(true);
    mutex.setMode('local');
    expect(standing.bridging).toBe(false);
    await fleet.time.run(500);
    expect(standing.bridging).toBe(false);
  });
});
