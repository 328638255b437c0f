import { duration, latencyCell, percent } from './report/cells.js';
import type { ModeResult } from './report/markdown.js';
import { printTables, writeReport } from './report/write-report.js';
import type { PriorityOptions } from './priority-options.js';
import { runMode } from './run/run-mode.js';

/**
 * `npm run bench -- priority`: the same workload for our own dispatchers in each mutex mode and for small dispatchers of
 * other designs, one after the other on fresh servers. Resolves with whether the checks of `contention` hold. When a mode
 * cannot be measured, rejects after it has shown the others; files are written only of a complete run.
 */
export async function priorityBench(options: PriorityOptions): Promise<boolean> {
  const results: ModeResult[] = [];
  try {
    for (const mode of options.modes) {
      const f = await runMode(mode, options);
      results.push([mode, f]);
      console.log(
        `[${mode}] P1 idle ${latencyCell(f.p1.idle)}, flood ${latencyCell(f.p1.flood)} ms; ${percent(f.utilisation)} of R; P3 blocked for ${duration(f.longestP3GapMs)} at most`,
      );
    }
  } catch (error) {
    if (results.length > 0) printTables(results);
    throw error;
  }
  return writeReport(results, options);
}
