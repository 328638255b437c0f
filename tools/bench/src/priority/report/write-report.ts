import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { REPO_ROOT } from '@commservice/tools-stack';
import { machine } from '../../results/machine.js';
import type { PriorityOptions } from '../priority-options.js';
import { checksOf } from './checks.js';
import { channelTable, latencyTable, markdown, type ModeResult } from './markdown.js';
import { svg } from './svg.js';

const FOLDER = path.join(REPO_ROOT, 'tools', 'bench', 'results');

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
  mkdirSync(FOLDER, { recursive: true });
  const file = (kind: string): string => path.join(FOLDER, `priority.${kind}`);
  writeFileSync(file('json'), `${JSON.stringify(json, rounded, 2)}\n`);
  writeFileSync(file('md'), page);
  writeFileSync(file('svg'), svg(results, 'P1: 99th percentile from accepted to the call, log scale'));
  console.log(`\n${page}\nWritten to tools/bench/results/priority.json, .md and .svg`);
  return checks.every((check) => check.ok);
}
