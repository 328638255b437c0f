import { machine } from '../../results/machine.js';
import { saveFiles } from '../../results/write-result.js';
import type { PriorityPlan } from '../priority-plan.js';
import { checksOf } from './checks.js';
import { markdown } from './markdown.js';
import type { ResultLine } from './result-line.js';
import { svg } from './svg.js';
import { allTables } from './tables.js';

const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;

/** Prints the figures of an incomplete run. */
export function printTables(lines: readonly ResultLine[]): void {
  console.log(['', ...allTables(lines)].join('\n'));
}

/** For machines: the figures by label; in a sweep each with its workload. */
function json(lines: readonly ResultLine[], plan: PriorityPlan, rest: object): string {
  const { modes: _, ...workload } = plan.options;
  const modes = Object.fromEntries(
    lines.map(({ label, options: { modes: _modes, ...own }, figures }) => [
      label,
      plan.sweep ? { workload: own, ...figures } : figures,
    ]),
  );
  return `${JSON.stringify({ name: plan.name, sweep: plan.sweep, workload, modes, ...rest }, rounded, 2)}\n`;
}

/**
 * Prints the tables and writes `<name>.json`, `.md` and `.svg`. Returns whether the checks of `contention` hold; a sweep
 * goes to places where they need not, and is only shown.
 */
export function writeReport(lines: readonly ResultLine[], plan: PriorityPlan): boolean {
  const where = machine();
  const judged = plan.sweep ? undefined : lines.find(({ mode }) => mode === 'contention');
  const checks = judged ? checksOf(judged.figures, judged.options) : [];
  const page = markdown(lines, checks, plan, where);
  saveFiles(plan.name, {
    json: json(lines, plan, { machine: where, checks }),
    md: page,
    svg: svg(lines, 'P1: 99th percentile from accepted to the call, log scale'),
  });
  console.log(`\n${page}\nWritten to tools/bench/results/${plan.name}.json, .md and .svg`);
  return checks.every((check) => check.ok);
}
