import type { Finding } from '../finding.js';
import { modulesOf, packageOf } from '../modules.js';
import type { Project } from '../projects.js';
import { isTest, isTypeScript } from '../tree.js';

const OURS = '@commservice/';

/**
 * What a project imports of ours = what its package.json declares = what its build configuration refers to. Tests are
 * left out: they may import testkit, which depends on what it tests.
 */
export function ownDependencies(projects: readonly Project[]): Finding[] {
  const folders = new Map(projects.map((p) => [p.name, p.folder]));
  return projects.flatMap((project) => {
    const imported = importedBy(project).filter((name) => name.startsWith(OURS) && name !== project.name);
    const declared = Object.keys(project.dependencies).filter((name) => name.startsWith(OURS));
    const wanted = declared.map((name) => folders.get(name) ?? name);
    const path = `${project.folder}/package.json`;
    return [
      ...without(imported, declared).map((name) => ({
        path,
        message: `must declare ${name}: it is imported`,
      })),
      ...without(declared, imported).map((name) => ({
        path,
        message: `declares ${name}, which nothing imports`,
      })),
      ...without(wanted, project.references).map((to) => ({
        path,
        message: `has no tsconfig reference to ${to}`,
      })),
      ...without(project.references, wanted).map((to) => ({
        path,
        message: `has a tsconfig reference to ${to}, which it does not declare`,
      })),
    ];
  });
}

/** Every package from a registry that is imported is declared, by the project or by the root for all. */
export function otherDependencies(
  projects: readonly Project[],
  root: Readonly<Record<string, string>>,
): Finding[] {
  return projects.flatMap((project) => {
    const known = { ...root, ...project.dependencies, ...project.devDependencies };
    const unknown = importedBy(project).filter((name) => !name.startsWith(OURS) && known[name] === undefined);
    return unknown.map((name) => ({
      path: `${project.folder}/package.json`,
      message: `must declare ${name}: it is imported`,
    }));
  });
}

/** Packages that the sources import, tests left out; but the tests of e2e are all it has. */
function importedBy(project: Project): string[] {
  const counts = (path: string) => !isTest(path) || project.tags.includes('type:e2e');
  const names = project.files
    .filter(({ path }) => path.startsWith(`${project.folder}/src/`) && isTypeScript(path) && counts(path))
    .flatMap((file) => modulesOf(file).map(({ specifier }) => packageOf(specifier)))
    .filter((name) => name !== undefined);
  return [...new Set(names)];
}

const without = (all: readonly string[], some: readonly string[]): string[] =>
  [...new Set(all)].filter((item) => !some.includes(item));
