import fc from 'fast-check';
import { MemoryCoordinator } from '../coordinator/memory-coordinator.js';
import { runScope, scopeCommands } from './scope-commands.js';
import { ScopeWorld, books } from './scope-world.js';

/** How many times more runs than usual: RUNS=100 hammers. */
const RUNS = Number(process.env['RUNS'] ?? 1);

describe('the coordinator keeps every rule of the model', () => {
  it.each([
    ['equal', 200, true, true, false],
    ['equal', 200, true, false, true],
    ['one pod', 200, true, false, true],
    ['one pod', 200, false, true, false],
    ['P1 apart', 200, true, false, true],
    ['P1 apart', 200, false, true, false],
    ['equal', 333, true, true, false],
    ['equal', 61, true, true, false],
  ] as const)(
    'through any life of three pods: partitions split "%s", R = %d, memory lost %s, calls lost %s, pods die %s',
    async (split, rate, restart, cut, die) => {
      await fc.assert(
        fc.asyncProperty(scopeCommands({ restart, cut, die }), (commands) =>
          runScope(new ScopeWorld(rate, split, (now) => new MemoryCoordinator(now), books), commands),
        ),
        { numRuns: 20 * RUNS },
      );
    },
    600_000,
  );
});
