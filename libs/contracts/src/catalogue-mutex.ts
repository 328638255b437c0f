import { z } from 'zod';
import { nameSchema } from './catalogue-name.js';

/** How lanes of one scope share it (design §5). */
export const mutexModeSchema = z.enum(['contention', 'strict', 'local', 'noop']);
export type MutexMode = z.infer<typeof mutexModeSchema>;

/** A waiting class renews its press every 60 ms: a shorter hold would end between two of them. */
const SHORTEST_HOLD_MS = 60;

/** Durations of the mutex, ms, the same for all scopes. A change needs a restart of the dispatchers. */
export const mutexTimingSchema = z.strictObject({
  /** Between two leases while something waits. */
  tickMs: z.number().int().min(20).max(100).default(100),
  /** How long lower classes stand back after the last press in mode contention; not shorter than the tick. */
  holdMs: z.number().int().min(SHORTEST_HOLD_MS).max(10_000).default(100),
  /** The same in mode strict. */
  strictHoldMs: z.number().int().min(SHORTEST_HOLD_MS).max(10_000).default(300),
  /** No class is blocked longer; its minimum share begins at 95 % of this. */
  maxBlockMs: z.number().int().min(1_000).max(600_000).default(60_000),
});
export type MutexTimings = z.infer<typeof mutexTimingSchema>;

/** The mutex of every scope: mode and durations. */
export const mutexSchema = z.strictObject({
  default: mutexModeSchema,
  /** Scopes (= accounts) with a mode of their own. */
  scopes: z.record(nameSchema, mutexModeSchema).default({}),
  timing: mutexTimingSchema.default(mutexTimingSchema.parse({})),
});

/** Durations that do not fit together, by field. */
export function timingFaults(timing: MutexTimings): { field: keyof MutexTimings; rule: string }[] {
  const { tickMs } = timing;
  return (['holdMs', 'strictHoldMs'] as const)
    .filter((field) => timing[field] < tickMs)
    .map((field) => ({ field, rule: `must not be shorter than tickMs (${tickMs})` }));
}
