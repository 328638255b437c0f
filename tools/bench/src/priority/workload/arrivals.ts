import { PRIORITIES, type Priority } from '@commservice/contracts';
import { randomStream } from '@commservice/testkit';

/** One message to come. */
export interface Arrival {
  /** From the start of the phase. */
  readonly atMs: number;
  readonly priority: Priority;
}

/** Poisson arrivals of one class: as independent senders make them. Same seed, same times. */
export function poisson(seed: number, perSecond: number, seconds: number): number[] {
  const random = randomStream(seed);
  const times: number[] = [];
  if (!(perSecond > 0)) return times;
  for (let atMs = 0; ;) {
    atMs += (-Math.log(1 - random()) / perSecond) * 1000;
    if (atMs >= seconds * 1000) return times;
    times.push(atMs);
  }
}

/** The arrivals of all classes in order of time; a class without a rate sends nothing. */
export function arrivals(
  seed: number,
  perSecond: Readonly<Partial<Record<Priority, number>>>,
  seconds: number,
): Arrival[] {
  return PRIORITIES.flatMap((priority, i) =>
    poisson(seed * 31 + i, perSecond[priority] ?? 0, seconds).map((atMs) => ({ atMs, priority })),
  ).sort((a, b) => a.atMs - b.atMs);
}
