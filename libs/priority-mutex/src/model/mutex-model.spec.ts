import fc from 'fast-check';
import type { ScopeMutex } from '../scope-mutex.js';
import * as faulty from './faulty/mutexes.js';
import { mutexCommands, runMutex } from './mutex-commands.js';
import { MutexWorld, PodRuleBroken, type PodRule } from './mutex-world.js';

/** How many times more runs than usual: RUNS=100 hammers. */
const RUNS = Number(process.env['RUNS'] ?? 1);

describe('one pod', () => {
  it('keeps every rule through any life: no wake-up lost, units conserved, nothing lower while a class holds', async () => {
    await fc.assert(
      fc.asyncProperty(mutexCommands(), (commands) => runMutex(new MutexWorld(), commands)),
      { numRuns: 12 * RUNS },
    );
  }, 600_000);

  it.each<[string, (mutex: ScopeMutex) => void, readonly PodRule[]]>([
    ['a wake-up that is lost', faulty.wakeUpLost, ['no wake-up is lost', 'everything is sent']],
    ['P3 that looks at P2 only', faulty.p3LooksAtP2Only, ['nothing lower starts while a higher class holds']],
    ['a hold of microseconds', faulty.microsecondHold, ['nothing lower starts while a higher class holds']],
    ['a slice that runs on', faulty.sliceRunsOn, ['nothing lower starts while a higher class holds']],
    [
      'a stock that every answer fills',
      faulty.stockFilledByAnswers,
      ['units are conserved', 'no wake-up is lost'],
    ],
    ['a pod alone that spends twice its part', faulty.spendsTwiceWhenAlone, ['a blind pod spends its share']],
    ['a token that goes back twice', faulty.givesBackTwice, ['units are conserved']],
  ])('is found out with %s', async (_, tamper, rules) => {
    const details = await fc.check(
      fc.asyncProperty(mutexCommands(), (commands) => runMutex(new MutexWorld(tamper), commands)),
      { numRuns: 400, seed: 1, endOnFailure: true },
    );
    const { errorInstance: error } = details;
    if (details.failed && !(error instanceof PodRuleBroken)) throw error;
    expect(rules).toContain(error instanceof PodRuleBroken ? error.rule : 'none');
  });
});
