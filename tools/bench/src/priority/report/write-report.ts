import { machine } from '../../results/machine.js';
import { saveFiles } from '../../results/write-result.js';
import type { PriorityOptions } from '../priority-options.js';
import { checksOf } from './checks.js';
import { channelTable, latencyTable, markdown, type ModeResult } from './markdown.js';
import { svg } from './svg.js';

const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;

/** Prints the figures of an incomplete run. */
export function printTables(results: readonly ModeResult[]): void {
  console.log(['', ...latencyTable(results), '', ...channelTable(results), ''].join('\n'));
}

/** Prints the tables and writes `priority.json`, `.md` and `.svg`. Returns whether the checks of `contention` hold. */
export function writeReport(results: readonly ModeResult[], options: PriorityOptions): boolean {
  const where = machine();
  const judged = results.find(([mode]) => mode === 'contention')?.[1];
  const checks = judged ? checksOf(judged, options) : [];
  const page = markdown(results, checks, options, where);
  const { modes: _, ...workload } = options;
  const json = { name: 'priority', machine: where, workload, modes: Object.fromEntries(results), checks };
  saveFiles('priority', {
    json: `${JSON.stringify(json, rounded, 2)}\n`,
    md: page,
    svg: svg(results, 'P1: 99th percentile from accepted to the call, log scale'),
  });
  console.log(`\n${page}\nWritten to tools/bench/results/priority.json, .md and .svg`);
  return checks.every((check) => check.ok);
}
