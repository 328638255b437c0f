import type { Priority } from '@commservice/contracts';
import fc from 'fast-check';
import type { Fleet } from './fleet.js';

/** One step of a life: something changes on a pod, codes or others arrive there, time passes. */
export interface LifeStep {
  readonly afterMs: number;
  readonly pod: number;
  readonly priority: Priority;
  readonly count: number;
}

const STEP = {
  afterMs: fc.constantFrom(1, 15, 90, 300, 1000),
  pod: fc.integer({ min: 0, max: 2 }),
  priority: fc.constantFrom('P1' as const, 'P2' as const, 'P3' as const),
  count: fc.constantFrom(0, 1, 9, 40),
};

/** Lives of one to three pods, in whose steps `change` says what changes. */
export const lives = <T extends object>(change: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record({
    seed: fc.integer({ min: 1, max: 1e6 }),
    pods: fc.integer({ min: 1, max: 3 }),
    steps: fc.array(
      fc.tuple(fc.record(STEP), fc.record(change)).map(([step, changed]) => ({ ...step, ...changed })),
      { minLength: 1, maxLength: 20 },
    ),
  });

/**
 * A P3 flood on the first pod, then the steps, then time enough for all of it to be sent. Returns how many still wait.
 * @param change what a step changes on its pod; `n` counts steps from 0
 */
export async function live<S extends LifeStep>(
  fleet: Fleet,
  steps: readonly S[],
  change: (step: S, pod: number, n: number) => void,
): Promise<number> {
  fleet.lane(0, 'P3').flood(() => 1);
  await fleet.time.run(1000);
  for (const [n, step] of steps.entries()) {
    const pod = step.pod % fleet.options.pods;
    change(step, pod, n);
    for (let i = 0; i < step.count; i++) fleet.lane(pod, step.priority).arrive(1);
    await fleet.time.run(step.afterMs);
  }
  fleet.lane(0, 'P3').endless = undefined;
  await fleet.time.run(15_000);
  return fleet.lanes.reduce((sum, l) => sum + l.P1.queue.length + l.P2.queue.length + l.P3.queue.length, 0);
}
