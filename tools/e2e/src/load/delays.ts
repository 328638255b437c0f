import { quantiles, type Quantiles } from '@commservice/testkit';
import type { Call } from '../client/sandbox.js';
import type { SentMessage } from './load.js';

/** How long messages took, ms, and what did not go as it must. */
export interface Delays extends Quantiles {
  /** The provider never took them. */
  readonly lost: number;
  /** The provider took them more than once: a person got it twice. */
  readonly doubled: number;
  /** Calls that repeated one, recognised by their key and not sent again. */
  readonly repeats: number;
}

const atMs = (call: Call): number => call.atEpochUs / 1000;

/**
 * From the request to the first call that the provider took. The request's own way is in it, so it is an upper bound of
 * "accepted → call starts"; the 202 may come back after the call was made. `n` counts what was taken.
 */
export function delays(
  sent: readonly Pick<SentMessage, 'id' | 'askedAtMs'>[],
  calls: readonly Call[],
): Delays {
  const firstAt = new Map<string, number>();
  const taken = new Map<string, number>();
  const repeated = new Map<string, number>();
  const more = (counts: Map<string, number>, id: string): void =>
    void counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const call of calls) {
    if (call.outcome !== 'accepted' && call.outcome !== 'duplicate') continue;
    if (!firstAt.has(call.id)) firstAt.set(call.id, atMs(call));
    more(call.outcome === 'accepted' ? taken : repeated, call.id);
  }
  const took = sent.flatMap(({ id, askedAtMs }) => {
    const at = firstAt.get(id);
    return at === undefined ? [] : [at - askedAtMs];
  });
  return {
    ...quantiles(took),
    lost: sent.length - took.length,
    doubled: sent.filter(({ id }) => (taken.get(id) ?? 0) > 1).length,
    repeats: sent.reduce((sum, { id }) => sum + (repeated.get(id) ?? 0), 0),
  };
}

/** Messages that took longer than `limitMs`: when each was asked for, after `fromMs`, and how long it took, ms. */
export function slowOnes(
  sent: readonly Pick<SentMessage, 'id' | 'askedAtMs'>[],
  calls: readonly Call[],
  limitMs: number,
  fromMs: number,
): { readonly atMs: number; readonly tookMs: number }[] {
  const firstAt = new Map<string, number>();
  for (const call of calls)
    if (call.outcome === 'accepted' && !firstAt.has(call.id)) firstAt.set(call.id, atMs(call));
  return sent
    .map(({ id, askedAtMs }) => ({
      atMs: askedAtMs - fromMs,
      tookMs: (firstAt.get(id) ?? Infinity) - askedAtMs,
    }))
    .filter(({ tookMs }) => tookMs > limitMs)
    .sort((a, b) => a.atMs - b.atMs);
}

/** Delays as one line for people. */
export const delaysLine = ({ n, p50, p95, p99, max, lost, doubled, repeats }: Delays): string =>
  `n ${n}, p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)}, p99 ${p99.toFixed(1)}, max ${max.toFixed(1)} ms, lost ${lost}, doubled ${doubled}, repeats ${repeats}`;
