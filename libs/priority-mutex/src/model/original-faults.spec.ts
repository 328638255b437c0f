import { HoldView } from '../gate/hold-view.js';
import { Fleet, type FleetOptions } from './fleet.js';

/** The faults of the original mutex (design §5), one test each. */
describe('a fault of the original stays away:', () => {
  const make = (over: Partial<FleetOptions> = {}) => new Fleet({ ratePerSecond: 200, pods: 2, ...over });

  it('P3 looks at P1 as well as at P2', async () => {
    const fleet = make();
    fleet.lane(0, 'P3').flood(() => 1);
    await fleet.time.run(1000);
    fleet.lane(1, 'P1').joined.pressAccount('throttled', fleet.time.monotonic() + 500);
    await fleet.time.run(5);
    const from = fleet.time.monotonic();
    await fleet.time.run(500);
    expect(fleet.starts.filter((s) => s.atMs >= from)).toEqual([]);
  });

  it('a second P1 holder counts when the first has ended', async () => {
    const fleet = make({ pods: 3 });
    fleet.lane(0, 'P3').flood(() => 1);
    await fleet.time.run(1000);
    const now = fleet.time.monotonic();
    fleet.lane(1, 'P1').joined.pressAccount('throttled', now + 200);
    fleet.lane(2, 'P1').joined.pressAccount('failing', now + 900);
    await fleet.time.run(5);
    const from = fleet.time.monotonic();
    await fleet.time.run(900);
    expect(fleet.starts.filter((s) => s.atMs >= from)).toEqual([]);
    await fleet.time.run(400);
    expect(fleet.starts.some((s) => s.atMs >= from)).toBe(true);
  });

  it('no wake-up is lost: a class goes on within 250 ms of the end of a press', async () => {
    const fleet = make();
    fleet.lane(0, 'P3').flood(() => 1);
    await fleet.time.run(1000);
    for (let i = 0; i < 20; i++) {
      const until = fleet.time.monotonic() + 130 + i * 7;
      fleet.lane(1, 'P1').joined.pressAccount('throttled', until);
      await fleet.time.run(600);
      const first = fleet.starts.find((s) => s.atMs > until);
      expect((first?.atMs ?? Infinity) - until).toBeLessThanOrEqual(250);
    }
  });

  it('the end of an old hold cannot free a newer one', () => {
    const view = new HoldView();
    view.extend('P1', 'pod-a', 300);
    view.extend('P1', 'pod-a', 2000);
    view.extend('P1', 'pod-a', 500);
    expect(view.blockedUntil('P3', 1000)).toBe(2000);
  });

  it('a backlog does not run on after P1 arrived: the gate is asked before each item', async () => {
    const fleet = make({ pods: 1 });
    for (let i = 0; i < 1000; i++) fleet.lane(0, 'P3').arrive(1);
    await fleet.time.run(1000);
    const from = fleet.time.monotonic();
    for (let i = 0; i < 50; i++) fleet.lane(0, 'P1').arrive(1);
    await fleet.time.run(600);
    const after = fleet.starts.filter((s) => s.atMs >= from);
    const lastP1 = after.findLastIndex((s) => s.priority === 'P1');
    expect(after.slice(0, lastP1 + 1).filter((s) => s.priority === 'P3')).toEqual([]);
  });

  it('a hold lasts 100 ms on every pod, not microseconds', async () => {
    const fleet = make();
    for (const pod of [0, 1]) fleet.lane(pod, 'P3').flood(() => 1);
    await fleet.time.run(1000);
    const until = fleet.time.monotonic() + 300;
    fleet.lane(1, 'P1').joined.pressAccount('throttled', until);
    await fleet.time.run(800);
    for (const pod of [0, 1]) {
      const first = fleet.starts.find((s) => s.pod === pod && s.atMs > until);
      expect((first?.atMs ?? 0) - until).toBeGreaterThanOrEqual(99);
    }
  });

  it('a pod that dies while pressing frees the others within 2 s', async () => {
    const fleet = make();
    fleet.lane(0, 'P3').flood(() => 1);
    await fleet.time.run(1000);
    fleet.lane(1, 'P1').joined.pressAccount('throttled', Infinity);
    await fleet.time.run(500);
    fleet.freeze(1, 60_000);
    const died = fleet.time.monotonic();
    await fleet.time.run(2000);
    expect((fleet.starts.find((s) => s.atMs > died)?.atMs ?? Infinity) - died).toBeLessThanOrEqual(2000);
  });
});
