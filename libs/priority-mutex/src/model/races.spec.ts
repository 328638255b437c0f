import type { ScopeMutex } from '../scope-mutex.js';
import type { ScopeParts } from '../scope-parts.js';
import { secondHolderUncounted } from './faulty/mutexes.js';
import { SecondHolderUncounted } from './faulty/coordinators.js';
import { Fleet, peakUnits, type Doubles } from './fleet.js';
import { everyInterleaving } from './interleavings.js';
import { UnitLedger } from './unit-ledger.js';

const R = 200;
/** How many deliveries of a race are put in every order; what is sent later comes as it was sent. */
const DEPTH = Number(process.env['DEPTH'] ?? 5);

const WAIT_MS = 20;

interface Told {
  readonly pod: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Two pods whose messages a test delivers in an order of its own. */
class Race {
  readonly fleet: Fleet;
  readonly ledgers: UnitLedger[] = [];
  /** What each pod was told of the other's holds. */
  readonly told: Told[] = [];
  private readonly air: (() => void)[] = [];

  constructor(doubles: Doubles = {}) {
    const used = new Set<string>();
    const mutex = (m: ScopeMutex): void => {
      doubles.mutex?.(m);
      const { departures, gate, pod } = (m as unknown as { parts: ScopeParts }).parts;
      this.ledgers.push(new UnitLedger(departures, used));
      const note = gate.note.bind(gate);
      gate.note = (holds, toLocal, nowMs) => {
        for (const h of holds)
          if (h.pod !== pod) this.told.push({ pod, fromMs: nowMs, untilMs: toLocal(h.untilMs) });
        note(holds, toLocal, nowMs);
      };
    };
    this.fleet = new Fleet({ ratePerSecond: R, pods: 2, doubles: { ...doubles, mutex } });
    this.fleet.lane(1, 'P3').flood(() => 1);
  }

  get nowMs(): number {
    return this.fleet.time.monotonic();
  }

  /** `act` happens in a quiet moment; then each message is delivered 1 ms after the one before, in the order chosen. */
  async run(act: () => void, choose: (ways: number) => number): Promise<void> {
    await this.fleet.time.run(450);
    for (const w of this.fleet.wires) w.intercept = (_, deliver) => this.air.push(deliver);
    act();
    for (let left = DEPTH; left > 0;) {
      await this.fleet.time.run(1);
      if (this.air.length === 0 && this.nowMs > 1600) break;
      if (this.air.length === 0) continue;
      left--;
      // the last way: nothing is delivered for a while, so that the other pod calls as well or a deadline passes
      const i = choose(this.air.length + 1);
      if (i === this.air.length) await this.fleet.time.run(WAIT_MS);
      else this.air.splice(i, 1)[0]?.();
    }
    for (const w of this.fleet.wires) w.intercept = undefined;
    await this.fleet.time.run(0);
    for (const deliver of this.air.splice(0)) deliver();
  }

  /** Starts of P3 at a pod that had been told of a hold. */
  lowerStarts(): unknown[] {
    return this.fleet.starts.filter(
      (s) =>
        s.priority === 'P3' &&
        this.told.some((t) => t.pod === `pod-${s.pod}` && t.fromMs < s.atMs && s.atMs < t.untilMs),
    );
  }

  violations(): unknown[] {
    const peak = peakUnits(this.fleet.starts);
    return [
      ...this.ledgers.flatMap((l) => l.faults),
      ...this.lowerStarts(),
      ...(peak > R * 1.02 + 1 ? [{ peak }] : []),
    ];
  }
}

const startsAfter = (race: Race, ms: number) => race.fleet.starts.filter((s) => s.atMs > ms);

describe('two pods, with every order of what is sent, decided, answered and told', () => {
  it('one presses while the other takes: no unit twice, nothing lower once told, all P1 sent, P3 goes on', async () => {
    const orders = await everyInterleaving(async (choose) => {
      const race = new Race();
      await race.run(() => {
        for (let i = 0; i < 40; i++) race.fleet.lane(0, 'P1').arrive(1);
      }, choose);
      await race.fleet.time.run(600);
      const lastP1 = race.fleet.starts.findLast((s) => s.priority === 'P1')?.atMs ?? Infinity;
      expect(race.fleet.lane(0, 'P1').queue).toEqual([]);
      expect((startsAfter(race, lastP1)[0]?.atMs ?? Infinity) - lastP1).toBeLessThanOrEqual(250);
      expect(race.violations()).toEqual([]);
    });
    expect(orders).toBeGreaterThan(50);
  });

  it('both press and one ends: the other still holds', async () => {
    const check = async (doubles: Doubles): Promise<unknown[]> => {
      const found: unknown[] = [];
      await everyInterleaving(async (choose) => {
        const race = new Race(doubles);
        const third = race.fleet.addPod(R);
        race.fleet.lane(third, 'P3').flood(() => 1);
        await race.run(() => {
          race.fleet.lane(0, 'P1').joined.pressAccount('throttled', race.nowMs + 60);
          race.fleet.lane(1, 'P1').joined.pressAccount('failing', race.nowMs + 500);
        }, choose);
        const from = race.nowMs + 5;
        await race.fleet.time.run(390);
        found.push(...startsAfter(race, from), ...race.violations());
      }, 80);
      return found;
    };
    expect(await check({})).toEqual([]);
    const faulty: Doubles = {
      mutex: secondHolderUncounted,
      coordinator: (now) => new SecondHolderUncounted(now),
    };
    expect((await check(faulty)).length).toBeGreaterThan(0);
  });

  it('one leaves while the other takes: no unit twice, and the other has all of R soon after', async () => {
    const orders = await everyInterleaving(async (choose) => {
      const race = new Race();
      race.fleet.lane(0, 'P3').flood(() => 1);
      await race.run(() => {
        void race.fleet.mutexes[0]?.stop();
        race.fleet.lane(0, 'P3').endless = undefined;
        for (const p of ['P1', 'P2', 'P3'] as const) race.fleet.lane(1, p).owned = 1;
        race.fleet.lane(1, 'P1').arrive(1);
      }, choose);
      await race.fleet.time.run(300);
      const from = race.nowMs;
      await race.fleet.time.run(1000);
      expect(startsAfter(race, from).length).toBeGreaterThan(R * 0.93);
      expect(race.violations()).toEqual([]);
    });
    expect(orders).toBeGreaterThan(20);
  });
});
