import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { REPO_ROOT } from '@commservice/tools-stack';
import { machine } from './machine.js';

/** One threshold and whether it held. */
export interface Check {
  readonly ok: boolean;
  readonly text: string;
}

/** What a bench found: figures for machines, rows for people. */
export interface Result {
  readonly name: string;
  readonly title: string;
  readonly figures: object;
  /** Name and value of each line of the table. */
  readonly rows: readonly (readonly [string, string])[];
  readonly checks: readonly Check[];
}

const FOLDER = path.join(REPO_ROOT, 'tools', 'bench', 'results');

/** Prints a result and writes `<name>.json` and `<name>.md` with machine and date. Returns whether every check held. */
export function writeResult(result: Result): boolean {
  const where = machine();
  const text = markdown(result, where);
  const { name, figures, checks } = result;
  saveFiles(name, {
    json: `${JSON.stringify({ name, machine: where, figures, checks }, null, 2)}\n`,
    md: text,
  });
  console.log(`\n${text}\nWritten to tools/bench/results/${name}.json and .md`);
  return checks.every((check) => check.ok);
}

/** Writes `tools/bench/results/<name>.<kind>` for each kind. */
export function saveFiles(name: string, texts: Readonly<Record<string, string>>): void {
  mkdirSync(FOLDER, { recursive: true });
  for (const [kind, text] of Object.entries(texts)) writeFileSync(path.join(FOLDER, `${name}.${kind}`), text);
}

function markdown({ title, rows, checks }: Result, where: ReturnType<typeof machine>): string {
  const lines = [
    `# ${title}`,
    '',
    `${where.date} · ${where.cpu}, ${where.cores} cores, ${where.memoryGiB} GiB · ${where.os} · Node ${where.node}`,
    '',
    ...tableLines([['what', 'value'], ...rows]),
    '',
    ...checks.map((check) => `- ${check.ok ? 'ok' : '**FAIL**'}: ${check.text}`),
    '',
  ];
  return lines.join('\n');
}

/** Columns padded as the repo's formatter wants them. */
function tableLines(rows: Result['rows']): string[] {
  const width = (column: 0 | 1): number => Math.max(...rows.map((row) => row[column].length));
  const line = (a: string, b: string, fill = ' '): string =>
    `| ${a.padEnd(width(0), fill)} | ${b.padEnd(width(1), fill)} |`;
  const [head, ...body] = rows.map(([what, value]) => line(what, value));
  return [head ?? '', line('', '', '-'), ...body];
}
