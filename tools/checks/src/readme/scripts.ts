import type { Finding } from '../finding.js';
import type { TextFile } from '../tree.js';
import { sectionOf } from './section.js';

const HOOK = /^(pre|post)(start|test|install)$/;
const MENTION = /\bnpm (?:run ([a-z][\w:-]*)|(start|test)\b)/g;

/** Every root script has its line in the README's table (hooks run by themselves), and none is listed that is gone. */
export function scriptsTable(readme: string, scripts: readonly string[]): Finding[] {
  const path = 'README.md';
  const section = sectionOf(readme, 'scripts');
  if (section === undefined)
    return [{ path, message: 'has no table between <!-- scripts:start --> and :end' }];
  const listed = [...section.matchAll(/^\| `npm (?:run )?([\w:-]+)[^`]*`\s*\|/gm)].map((m) => m[1] ?? '');
  const wanted = scripts.filter((name) => !HOOK.test(name));
  return [
    ...wanted
      .filter((n) => !listed.includes(n))
      .map((n) => ({ path, message: `does not list the script ${n}` })),
    ...listed
      .filter((n) => !wanted.includes(n))
      .map((n) => ({ path, message: `lists ${n}, which is no script` })),
  ];
}

/** A script that a document tells the reader to run exists. */
export function mentionedScripts(documents: readonly TextFile[], scripts: readonly string[]): Finding[] {
  return documents.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, i) =>
      [...line.matchAll(MENTION)]
        .map((m) => m[1] ?? m[2] ?? '')
        .filter((name) => !scripts.includes(name))
        .map((name) => ({ path, line: i + 1, message: `names the script ${name}, which is not there` })),
    ),
  );
}
