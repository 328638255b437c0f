import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** A text file of the repo. */
export interface TextFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Built, downloaded or recorded: not ours to check. */
const SKIPPED = new Set([
  'node_modules', 'dist', 'out-tsc', 'coverage', 'tmp', '.git', '.nx', '.stack', '.testkit',
]); // prettier-ignore
const TEXT =
  /\.(ts|cjs|mjs|js|json|md|ya?ml|lua|sql|html|css|sh|xml|properties|toml)$|(^|\/)(Dockerfile|LICENSE|CODEOWNERS|run|\.[a-z]+rc|\.[a-z]+ignore)$/;

/** All text files below `root` that are sources, in alphabetical order. */
export function readTree(root: string): TextFile[] {
  return filesBelow(root, '')
    .filter((file) => TEXT.test(file))
    .map((file) => ({ path: file, text: readFileSync(path.join(root, file), 'utf8') }));
}

function filesBelow(root: string, folder: string): string[] {
  const entries = readdirSync(path.join(root, folder), { withFileTypes: true });
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesBelow(root, file);
      return entry.isFile() ? [file] : [];
    });
}

/** Unit and integration tests, and what only they use. */
export const isTest = (file: string): boolean =>
  /\.(spec|itest|e2e)\.ts$|\/(test|spec)\/|^tools\/e2e\//.test(file);

export const isTypeScript = (file: string): boolean => /\.ts$/.test(file) && !file.endsWith('.d.ts');
