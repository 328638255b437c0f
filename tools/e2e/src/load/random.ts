import { randomStream } from '@commservice/testkit';

/** Pauses between the arrivals of independent senders, ms; never ends. */
export function* poissonPausesMs(seed: number, perSecond: number): Generator<number, never> {
  const random = randomStream(seed);
  for (;;) yield (-Math.log(1 - random()) / perSecond) * 1000;
}
