import fc from 'fast-check';
import { MemoryCoordinator } from '../coordinator/memory-coordinator.js';
import * as faulty from './faulty/coordinators.js';
import type { ModelCoordinator } from './fleet.js';
import { runScope, scopeCommands, type Faults } from './scope-commands.js';
import { RuleBroken, type Rule } from './scope-rule.js';
import { ScopeWorld, books, type Split } from './scope-world.js';

type Make = (nowMs: () => number, pod: () => string) => ModelCoordinator;
interface Plan extends Faults {
  readonly split: Split;
}
const plan = (over: Partial<Plan> = {}): Plan => ({
  ...{ split: 'equal', restart: false, cut: false, die: true },
  ...over,
});

/** The rule that any of `runs` lives breaks; undefined when none does. Always the same lives. */
async function brokenRule(make: Make, p: Plan, runs: number): Promise<Rule | undefined> {
  const details = await fc.check(
    fc.asyncProperty(scopeCommands(p), (commands) =>
      runScope(new ScopeWorld(200, p.split, make, books), commands),
    ),
    { numRuns: runs, seed: 1, endOnFailure: true },
  );
  const { errorInstance: error } = details;
  if (details.failed && !(error instanceof RuleBroken)) throw error;
  return error instanceof RuleBroken ? error.rule : undefined;
}

const skewed: Make = (nowMs, pod) =>
  new faulty.ClientClock(() => nowMs() + 400 * Number(pod().split('-')[1]));

describe('the model of the coordinator finds', () => {
  it.each<[string, Make, Plan, Rule | readonly Rule[]]>([
    [
      'P3 that looks at P2 only',
      (now) => new faulty.P3LooksAtP2Only(now),
      plan(),
      'nothing ordinary for a blocked class',
    ],
    [
      'a second holder that is not counted',
      (now) => new faulty.SecondHolderUncounted(now),
      plan(),
      'holds are counted and only extended',
    ],
    [
      'an old timer that ends a new hold',
      (now) => new faulty.OldTimerEndsNewHold(now),
      plan(),
      ['holds are counted and only extended', 'nothing ordinary for a blocked class'],
    ],
    [
      'a hold of microseconds',
      (now) => new faulty.MicrosecondHold(now),
      plan(),
      'holds are counted and only extended',
    ],
    [
      'a newcomer that starts at once',
      (now) => new faulty.NewcomerStartsAtOnce(now),
      plan(),
      'a slot has one owner',
    ],
    [
      'a bucket that is full after a restart',
      (now) => new faulty.BucketFullAfterRestart(now),
      plan({ restart: true }),
      'at most R units in any second',
    ],
    [
      'the clock of the client',
      skewed,
      plan(),
      ['a state lives until it is lost', 'at most R units in any second'],
    ],
    [
      'the whole stock for each pod',
      (now) => new faulty.StockForEachPod(now),
      plan(),
      'the standing stock has a bound',
    ],
    [
      'nothing withheld for pods that are not heard',
      (now) => new faulty.WithholdsNothing(now),
      plan({ cut: true, die: false }),
      'at most R units in any second',
    ],
    [
      'a minimum share at once',
      (now) => new faulty.MinimumShareAtOnce(now),
      plan(),
      'the minimum share by its rule only',
    ],
    [
      'slots that are kept although given up',
      (now) => new faulty.KeepsReleasedSlots(now),
      plan(),
      'the books agree',
    ],
    [
      'the R of whoever calls',
      (now) => new faulty.CallersRateCounts(now),
      plan(),
      'the smallest live R counts',
    ],
  ])('%s', async (_, make, p, rule) => {
    expect([rule].flat()).toContain(await brokenRule(make, p, 400));
    expect(await brokenRule((now) => new MemoryCoordinator(now), p, 4)).toBeUndefined();
  });
});
