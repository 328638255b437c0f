import path from 'node:path';
import type { TextFile } from './tree.js';

/** One workspace package. */
export interface Project {
  /** Its folder, for example `libs/kafka`. */
  readonly folder: string;
  /** Its package name, for example `@commservice/kafka`. */
  readonly name: string;
  readonly tags: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  /** Folders of the projects that its build configuration refers to. */
  readonly references: readonly string[];
  readonly files: readonly TextFile[];
}

interface Manifest {
  name?: string;
  nx?: { tags?: string[] };
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const MANIFEST = /^((?:apps|libs|libs\/providers|tools)\/[^/]+)\/package\.json$/;

/** The packages below apps, libs and tools. */
export function projectsOf(tree: readonly TextFile[]): Project[] {
  return tree.flatMap((file) => {
    const folder = MANIFEST.exec(file.path)?.[1];
    if (folder === undefined) return [];
    const manifest = JSON.parse(file.text) as Manifest;
    const files = tree.filter((f) => f.path.startsWith(`${folder}/`));
    return [
      {
        folder,
        name: manifest.name ?? '',
        tags: manifest.nx?.tags ?? [],
        dependencies: manifest.dependencies ?? {},
        devDependencies: manifest.devDependencies ?? {},
        references: referencesOf(folder, files),
        files,
      },
    ];
  });
}

function referencesOf(folder: string, files: readonly TextFile[]): string[] {
  const config = files.find(({ path: p }) => /^tsconfig\.(lib|app)\.json$/.test(p.slice(folder.length + 1)));
  if (!config) return [];
  const { references = [] } = JSON.parse(config.text) as { references?: { path: string }[] };
  return references.map((r) => path.posix.dirname(path.posix.join(folder, r.path)));
}
