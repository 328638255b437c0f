import { setTimeout as delay } from 'node:timers/promises';

export interface UntilOptions {
  /** Longest wait in all, ms. Default 10 000. */
  readonly deadlineMs?: number;
  /** Gives up early when `describe` says the same for this long, ms. Default: never. Needs `describe` as a function. */
  readonly stallMs?: number;
  /** Pause between two looks, ms. Default 20. */
  readonly everyMs?: number;
  /** What is waited for, or a function that tells how far it has come: "12 of 50 delivered". */
  readonly describe: string | (() => string);
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/**
 * Looks again and again until `condition` gives a value other than false, null and undefined, and resolves with it.
 * Rejects with a plain sentence when the deadline is over or nothing moves any more. What `condition` throws counts as
 * "not yet" and is quoted in that sentence.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  options: UntilOptions,
): Promise<Exclude<T, false | null | undefined>> {
  const { deadlineMs = 10_000, stallMs = Infinity, everyMs = 20, describe } = options;
  const said = (): string => (typeof describe === 'string' ? describe : describe());
  const from = performance.now();
  let last = said();
  let movedAt = from;
  let fault: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value !== false && value !== null && value !== undefined)
        return value as Exclude<T, false | null | undefined>;
      fault = undefined;
    } catch (error) {
      fault = error;
    }
    const now = performance.now();
    if (said() !== last) [last, movedAt] = [said(), now];
    const stalled = now - movedAt > stallMs;
    if (now - from > deadlineMs || stalled) {
      const how = stalled ? `nothing moved for ${seconds(now - movedAt)}` : `waited ${seconds(now - from)}`;
      throw new Error(`${how}: ${last}${fault instanceof Error ? ` (last error: ${fault.message})` : ''}`, {
        cause: fault,
      });
    }
    await delay(everyMs);
  }
}
