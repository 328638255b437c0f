import * as check from './fault-checks.js';
import * as coordinators from './faulty/coordinators.js';
import * as mutexes from './faulty/mutexes.js';
import { Fleet, type Doubles } from './fleet.js';

const OURS: Doubles = {};

/** The faults of the original mutex (design §5) and of other systems: each check holds for ours and fails for a faulty double. */
describe('a fault stays away:', () => {
  it.each<[string, check.Check, Doubles]>([
    ['P3 that looks at P2 and not at P1', check.p1StopsP3, { mutex: mutexes.p3LooksAtP2Only }],
    [
      'a second P1 holder that is not counted',
      check.everyHolderCounts,
      {
        mutex: mutexes.secondHolderUncounted,
        coordinator: (now) => new coordinators.SecondHolderUncounted(now),
      },
    ],
    ['a wake-up that is lost', check.nothingSleepsOn, { mutex: mutexes.wakeUpLost }],
    [
      'an old timer that frees a new hold',
      check.p1StopsP3,
      {
        mutex: mutexes.oldTimerEndsNewHold,
        coordinator: (now) => new coordinators.OldTimerEndsNewHold(now),
      },
    ],
    ['a slice that runs on after P1 came', check.sliceStops, { mutex: mutexes.sliceRunsOn }],
    ['a hold of microseconds', check.holdLasts, { mutex: mutexes.microsecondHold }],
    ['no answer read as no quota', check.silenceIsNoRefusal, { mutex: mutexes.noAnswerIsNoQuota }],
    [
      'a newcomer that starts at once',
      check.newcomersKeepR,
      { coordinator: (now) => new coordinators.NewcomerStartsAtOnce(now) },
    ],
    [
      'a bucket that is full after a restart',
      check.restartsKeepR,
      { coordinator: (now) => new coordinators.BucketFullAfterRestart(now) },
    ],
    ['a stock that every answer fills', check.stockIsFilledOnce, { mutex: mutexes.stockFilledByAnswers }],
    ['late departures that bunch', check.lateDeparturesLapse, { mutex: mutexes.lateDeparturesBunch }],
    [
      'the clock of the client',
      check.clocksOfPodsDoNotMatter,
      { coordinator: (_, clientMs) => new coordinators.ClientClock(clientMs) },
    ],
  ])('%s', async (_, violations, doubles) => {
    expect(await violations(OURS)).toEqual([]);
    expect((await violations(doubles)).length).toBeGreaterThan(0);
  });

  it('a pod that dies while pressing frees the others within 2 s', async () => {
    const fleet = new Fleet({ ratePerSecond: 200, pods: 2 });
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
