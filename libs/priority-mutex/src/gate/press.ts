import type { MutexMode, Priority } from '@commservice/contracts';
import type { Waiting } from '../seat.js';
import type { MutexTiming } from '../timing.js';

/** What a decision to press looks at; one class in one pod. */
export interface PressInput {
  readonly mode: MutexMode;
  readonly priority: Priority;
  readonly nowMs: number;
  readonly waiting: readonly Waiting[];
  /** Units that this pod expects to fall due within `pressLookAheadMs`, standing tokens included; undefined before the
   * coordinator has answered to this demand. */
  readonly expectedUnits: number | undefined;
  readonly pods: number;
  readonly ratePerSecond: number;
  /** Until when the account throttles or fails for the class. */
  readonly accountUntilMs: number;
  /** Last start of the class in this pod. */
  readonly lastStartMs: number;
}

/** P2's press costs P3 a whole hold on all pods while its own promise is a second: it waits twice as long. */
const PATIENCE: Record<Priority, number> = { P1: 1, P2: 2, P3: Infinity };

/**
 * How long the first of a class may wait before the class presses: 25 ms, or until its pod's departures for all its units
 * and one more have passed.
 */
export function patienceMs(
  priority: Priority,
  nextUnits: number,
  pods: number,
  ratePerSecond: number,
  timing: MutexTiming,
): number {
  return PATIENCE[priority] * Math.max(timing.pressAfterMs, ((nextUnits + 1) * pods * 1000) / ratePerSecond);
}

/** Whether the class presses now: lower classes start nothing while it does. */
export function presses(i: PressInput, timing: MutexTiming): boolean {
  if (i.mode === 'noop') return false;
  if (i.accountUntilMs > i.nowMs) return true;
  const units = i.waiting.reduce((sum, w) => sum + w.units, 0);
  if (i.mode === 'strict') return units > 0 || i.nowMs - i.lastStartMs < timing.pressRefreshMs;
  if (units === 0) return false;
  if (i.expectedUnits !== undefined && units > i.expectedUnits) return true;
  return i.waiting.some(
    (w) =>
      w.oldestSince !== undefined &&
      i.nowMs - w.oldestSince > patienceMs(i.priority, w.nextUnits, i.pods, i.ratePerSecond, timing),
  );
}
