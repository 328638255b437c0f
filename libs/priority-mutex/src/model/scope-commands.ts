import type { Priority } from '@commservice/contracts';
import fc from 'fast-check';
import type { ByClass } from '../coordinator/coordinator.js';
import type { Ask } from './pod-model.js';
import type { ScopeWorld } from './scope-world.js';

type Command = fc.AsyncCommand<object, ScopeWorld>;
const command = (text: string, run: (w: ScopeWorld) => Promise<void> | void): Command => ({
  check: () => true,
  run: async (_, w) => run(w),
  toString: () => text,
});

const demand: fc.Arbitrary<ByClass<number>> = fc.record({
  P1: fc.constantFrom(0, 0, 1, 3, 40),
  P2: fc.constantFrom(0, 0, 1, 31),
  P3: fc.constantFrom(31, 31, 31, 2, 0),
});
const ask: fc.Arbitrary<Ask> = fc.record({
  demand,
  pressing: fc.constantFrom<readonly Priority[]>([], [], [], ['P1'], ['P2'], ['P1', 'P2']),
  mode: fc.constantFrom('contention' as const, 'contention' as const, 'strict' as const, 'noop' as const),
  nextCallWithinMs: fc.constantFrom(250, 550),
  keep: fc.constantFrom(1000, 1000, 5, 0),
});
const pod = fc.nat(2);
const FLOOD: Ask = {
  demand: { P1: 0, P2: 0, P3: 31 },
  pressing: [],
  mode: 'contention',
  nextCallWithinMs: 250,
  keep: 1000,
};
const WAYS = ['answered', 'answered', 'answered', 'answered', 'answer lost', 'call lost'] as const;

/** All pods lease every `tickMs`; those in `cut` get no answer. */
async function live(
  w: ScopeWorld,
  ticks: number,
  cut: readonly boolean[],
  asks: readonly Ask[],
): Promise<void> {
  for (let t = 0; t < ticks; t++) {
    for (const [i, a] of asks.entries()) await w.lease(i, a, cut[i] ? 'call lost' : 'answered');
    w.advance(60);
  }
}

/** What may go wrong in a plan. */
export interface Faults {
  /** The coordinator loses its memory. */
  readonly restart: boolean;
  /** Calls are lost, so that pods turn alone. */
  readonly cut: boolean;
  /** Pods die and another takes their partitions. */
  readonly die: boolean;
}

/** Any life of three pods with one coordinator. */
export const scopeCommands = (faults: Faults): fc.Arbitrary<Iterable<Command>> =>
  fc.commands(
    [
      fc
        .tuple(pod, ask, fc.constantFrom(...(faults.cut ? WAYS : WAYS.slice(0, 5))))
        .map(([i, a, way]) => command(`lease ${i} ${JSON.stringify(a)} ${way}`, (w) => w.lease(i, a, way))),
      fc
        .constantFrom(0.4, 3, 20, 60, 100, 300, 1100)
        .map((ms) => command(`advance ${ms}`, (w) => w.advance(ms))),
      pod.map((i) => command(`leave ${i}`, (w) => w.leave(i))),
      pod.map((i) =>
        command(`burst ${i}`, (w) => {
          w.pod(i).burst(w.nowMs, (at) => w.rules.started(at));
          w.rules.checkStarts(w.nowMs);
        }),
      ),
      fc
        .tuple(pod, fc.constantFrom(200, 200, 100, 50))
        .map(([i, rate]) => command(`rate ${i} ${rate}`, (w) => void (w.pod(i).ratePerSecond = rate))),
      fc
        .tuple(
          fc.integer({ min: 3, max: 30 }),
          fc.array(faults.cut ? fc.boolean() : fc.constant(false), { minLength: 3, maxLength: 3 }),
        )
        .map(([ticks, cut]) =>
          command(`flood ${ticks} ticks, cut ${cut.join()}`, (w) =>
            live(w, ticks, cut, [FLOOD, FLOOD, FLOOD]),
          ),
        ),
      fc.tuple(pod, fc.integer({ min: 3, max: 30 })).map(([i, ticks]) =>
        command(`press of ${i} for ${ticks} ticks`, (w) =>
          live(
            w,
            ticks,
            [],
            [0, 1, 2].map((n) => (n === i ? { ...FLOOD, pressing: ['P1'] } : FLOOD)),
          ),
        ),
      ),
      fc
        .constantFrom(40.37, 5000.123)
        .map((ms) => command(`clock back ${ms}`, (w) => void (w.offsetMs -= ms))),
      ...(faults.die
        ? [
            pod.map((i) =>
              command(`die ${i}`, (w) => {
                w.pods[i] = w.newPod(i);
              }),
            ),
          ]
        : []),
      ...(faults.restart
        ? [
            fc.constantFrom(1.7, 90).map((ms) =>
              command(`restart in ${ms}`, (w) => {
                w.coordinator.forget();
                w.rules.forgot();
                w.advance(ms);
              }),
            ),
          ]
        : []),
    ],
    { maxCommands: 40, size: '+1' },
  );

/** A first answer for every pod, then `commands`. Rejects with the rule that broke. */
export async function runScope(world: ScopeWorld, commands: Iterable<Command>): Promise<void> {
  await live(world, 1, [], [FLOOD, FLOOD, FLOOD]);
  await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
  world.advance(1000);
}
