import { BenchFault } from '../fault.js';
import { duration, latencyCell, percent } from './report/cells.js';
import type { ResultLine } from './report/result-line.js';
import { printTables, writeReport } from './report/write-report.js';
import type { Mode } from './mode.js';
import type { PlannedRun, PriorityPlan } from './priority-plan.js';
import { findRabbit } from './rabbit/rabbit-programs.js';
import { runMode } from './run/run-mode.js';

/** Why a mode cannot run on this machine; undefined when it can. */
function missingFor(mode: Mode): string | undefined {
  if (mode !== 'rabbitmq' || findRabbit()) return undefined;
  return 'left out: rabbitmq-server and epmd are not on the PATH (Debian: apt-get install rabbitmq-server)';
}

function sayDone({ label }: PlannedRun, f: ResultLine['figures']): void {
  console.log(
    `[${label}] P1 idle ${latencyCell(f.p1.idle)}, flood ${latencyCell(f.p1.flood)} ms; ${percent(f.utilisation)} of R; P3 blocked for ${duration(f.longestP3GapMs)} at most`,
  );
}

/**
 * `npm run bench -- priority`: the same workload for our own dispatchers in each mutex mode and for small dispatchers of
 * other designs, one after the other on fresh servers; or one flag swept. Resolves with whether the checks of
 * `contention` hold. When a run cannot be measured, rejects after it has shown the others; files are written only of a
 * complete one.
 */
export async function priorityBench(plan: PriorityPlan): Promise<boolean> {
  const lines: ResultLine[] = [];
  try {
    for (const run of plan.runs) {
      const missing = missingFor(run.mode);
      if (missing) console.log(`[${run.label}] ${missing}.`);
      if (missing) continue;
      const figures = await runMode(run);
      lines.push({ ...run, figures });
      sayDone(run, figures);
    }
  } catch (error) {
    if (lines.length > 0) printTables(lines);
    throw error;
  }
  if (lines.length === 0) throw new BenchFault('None of these modes can run on this machine.');
  return writeReport(lines, plan);
}
