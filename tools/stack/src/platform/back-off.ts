const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/** Pause before the next start of a process that ended `failures` (≥ 1) times in a row: 1, 2, 4 … 30 s. */
export function restartDelayMs(failures: number): number {
  return Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS);
}

/** A process that ran this long has recovered: its next fault counts as the first. */
export const RECOVERED_AFTER_MS = 60_000;
