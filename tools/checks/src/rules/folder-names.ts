import type { Finding } from '../finding.js';
import type { TextFile } from '../tree.js';

const FORBIDDEN = ['utils', 'util', 'common', 'shared', 'core', 'generic', 'helpers', 'helper', 'misc'];

/** No folder has a name that says nothing about what is in it. */
export function folderNames(tree: readonly Pick<TextFile, 'path'>[]): Finding[] {
  const folders = new Set(tree.flatMap(({ path }) => foldersOf(path)));
  return [...folders]
    .filter((folder) => FORBIDDEN.includes(folder.slice(folder.lastIndexOf('/') + 1)))
    .map((path) => ({ path, message: 'has a folder name that says nothing: name what it holds' }));
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}
