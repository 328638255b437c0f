import type { LeaseRequest } from '../coordinator/coordinator.js';

/** A request of a pod that wants nothing, with what a test changes. */
export function leaseRequest(over: Partial<LeaseRequest> = {}): LeaseRequest {
  return {
    scope: 'sms-a',
    pod: 'pod-a',
    catalogueVersion: 1,
    ratePerSecond: 200,
    shares: { P1: 0.2, P2: 0.3, P3: 0.5 },
    mode: 'contention',
    demand: { P1: 0, P2: 0, P3: 0 },
    pressing: [],
    pressForMs: 160,
    ownership: { P1: 1, P2: 1, P3: 1 },
    wantsStock: false,
    p1Started: 0,
    released: [],
    grid: 0,
    seenSequence: 0,
    horizonMs: 150,
    nextCallWithinMs: 250,
    maxBlockMs: 60_000,
    ...over,
  };
}

/** A random but repeatable life of several pods: what each asks, and how much later. */
export function* randomRequests(
  random: () => number,
  scope: string,
  count: number,
): Generator<{ afterMs: number; request: LeaseRequest }> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  for (let i = 0; i < count; i++) {
    const part = pick([1, 0.5, 1 / 3, 0]);
    yield {
      afterMs: pick([
        0,
        0.4,
        3,
        20,
        60,
        100,
        100,
        250,
        i % 40 === 39 ? 2500 : 30,
        i % 90 === 89 ? -4000 : 60,
      ]),
      request: leaseRequest({
        scope,
        pod: pick(['pod-a', 'pod-b', 'pod-c']),
        catalogueVersion: pick([1, 1, 1, 2]),
        shares: pick([
          { P1: 0.2, P2: 0.3, P3: 0.5 },
          { P1: 0.2, P2: 0.3, P3: 0.5 },
          { P1: 0.4, P2: 0.4, P3: 0.2 },
        ]),
        ratePerSecond: pick([200, 200, 200, 200, 100]),
        mode: pick(['contention', 'contention', 'strict', 'noop']),
        demand: { P1: pick([0, 0, 1, 2, 40]), P2: pick([0, 0, 1, 6, 31]), P3: pick([0, 31, 31]) },
        pressing: pick([[], [], [], ['P1'], ['P2'], ['P1', 'P2']]),
        ownership: { P1: part, P2: part, P3: part },
        wantsStock: random() < 0.7,
        p1Started: pick([0, 0, 1, 5]),
        nextCallWithinMs: pick([250, 550]),
        maxBlockMs: 300,
      }),
    };
  }
}
