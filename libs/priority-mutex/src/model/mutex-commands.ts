import type { MutexMode, Priority } from '@commservice/contracts';
import fc from 'fast-check';
import type { MutexWorld } from './mutex-world.js';

type Command = fc.AsyncCommand<object, MutexWorld>;
const command = (text: string, run: (w: MutexWorld) => Promise<void> | void): Command => ({
  check: () => true,
  run: async (_, w) => {
    await run(w);
    await w.advance(0.01);
  },
  toString: () => text,
});

const priority = fc.constantFrom<Priority>('P1', 'P1', 'P2', 'P3', 'P3');
const WIRES = {
  'answers and edges arrive': {},
  'answers are late': { answerLateMs: 30 },
  'answers are too late': { answerLateMs: 80 },
  'answers get lost': { deaf: true },
  'edges get lost': { edgesLost: true },
  'nothing arrives': { cut: true },
} as const;
const ALL_WELL = { cut: false, deaf: false, answerLateMs: 0, edgesLost: false };

/** Any life of one pod. */
export const mutexCommands = (): fc.Arbitrary<Iterable<Command>> =>
  fc.commands(
    [
      fc.tuple(priority, fc.constantFrom(1, 1, 1, 3), fc.constantFrom(1, 2, 9, 60)).map(([p, units, n]) =>
        command(`${n} ${p} of ${units} arrive`, (w) => {
          for (let i = 0; i < n; i++) w.fleet.lane(0, p).arrive(units);
        }),
      ),
      fc.constantFrom(1, 7, 26, 90, 250, 800).map((ms) => command(`advance ${ms}`, (w) => w.advance(ms))),
      fc
        .constantFrom(...(Object.keys(WIRES) as (keyof typeof WIRES)[]))
        .map((name) =>
          command(name, (w) => void Object.assign(w.fleet.wires[0] ?? {}, ALL_WELL, WIRES[name])),
        ),
      fc
        .tuple(fc.constantFrom<readonly Priority[]>([], ['P1'], ['P1'], ['P2']), fc.constantFrom(0, 31))
        .map(([pressing, p3]) =>
          command(`a stranger presses ${pressing.join()} and wants ${p3}`, (w) => w.stranger(pressing, p3)),
        ),
      fc
        .tuple(fc.constantFrom<Priority>('P1', 'P2'), fc.constantFrom(40, 300))
        .map(([p, ms]) => command(`the account presses for ${p} for ${ms}`, (w) => w.pressAccount(p, ms))),
      priority.map((p) => command(`the last ${p} goes back`, (w) => w.fleet.lane(0, p).giveBackLast())),
      fc
        .constantFrom<MutexMode>('contention', 'contention', 'strict', 'noop')
        .map((mode) => command(`mode ${mode}`, (w) => w.setMode(mode))),
      fc.constantFrom(30, 400).map((ms) => command(`freeze ${ms}`, (w) => w.freeze(ms))),
      fc.constant(
        command('200 P3 arrive and the coordinator is silent for 2500', async (w) => {
          for (let i = 0; i < 200; i++) w.fleet.lane(0, 'P3').arrive(1);
          Object.assign(w.fleet.wires[0] ?? {}, ALL_WELL, { cut: true });
          await w.advance(2500);
        }),
      ),
      fc.constant(command('the coordinator forgets', (w) => w.fleet.coordinator.forget())),
    ],
    { maxCommands: 40, size: '+1' },
  );

/** Runs `commands` after a quiet second, then lets everything drain. Rejects with the rule that broke. */
export async function runMutex(world: MutexWorld, commands: Iterable<Command>): Promise<void> {
  await world.advance(1000);
  await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
  await world.drain();
}
