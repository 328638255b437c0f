import type { Finding } from '../finding.js';
import type { TextFile } from '../tree.js';

const NAME = /-(\d+|n)\.lua$/;
const HEADER = /^--\[\[[\s\S]*?\]\]/;

/**
 * A script is named with the number of its keys (`n` where that varies) and opens with a comment that says what its
 * KEYS and ARGV are and what it Returns.
 */
export function luaScripts(tree: readonly TextFile[]): Finding[] {
  return tree.filter(({ path }) => path.endsWith('.lua')).flatMap((file) => faultsOf(file));
}

function faultsOf({ path, text }: TextFile): Finding[] {
  const named = NAME.exec(path)?.[1];
  if (named === undefined)
    return [{ path, message: 'must be named with its number of keys: <name>-<n>.lua' }];
  const header = HEADER.exec(text)?.[0] ?? '';
  const missing = [/\bKEYS\b/, /\bReturns?\b/, ...(/\bARGV\b/.test(text) ? [/\bARGV\b/] : [])]
    .filter((word) => !(named === '0' && word.source.includes('KEYS')) && !word.test(header))
    .map((word) => word.source.replaceAll(/\\b|\?/g, ''));
  const used = keysUsed(text);
  return [
    ...missing.map((word) => ({ path, message: `must say its ${word} in a comment at its top` })),
    ...(named !== 'n' && used !== Number(named)
      ? [{ path, message: `uses ${used} keys, but its name says ${named}` }]
      : []),
  ];
}

function keysUsed(text: string): number {
  return Math.max(0, ...[...text.matchAll(/KEYS\[(\d+)\]/g)].map((m) => Number(m[1])));
}
