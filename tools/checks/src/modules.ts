import ts from 'typescript';
import { lineAt } from './syntax.js';
import type { TextFile } from './tree.js';

/** One `import`, `export … from`, `import()` or `require()`. */
export interface ModuleUse {
  readonly specifier: string;
  readonly line: number;
}

const SCRIPT = /\.(ts|cjs|mjs)$/;

export function modulesOf(file: TextFile): ModuleUse[] {
  if (!SCRIPT.test(file.path)) return [];
  const { importedFiles } = ts.preProcessFile(file.text, true, true);
  return importedFiles.map(({ fileName, pos }) => ({ specifier: fileName, line: lineAt(file, pos) }));
}

/** `@scope/name/deep` → `@scope/name`; undefined for relative paths and Node's own modules. */
export function packageOf(specifier: string): string | undefined {
  if (specifier.startsWith('.') || specifier.startsWith('node:')) return undefined;
  const [first = '', second = ''] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}
