import { projectsOf, type Project } from '../projects.js';
import { otherDependencies, ownDependencies } from './dependencies.js';

/** A lib `a` and the lib `b` it may import. */
function repo(options: {
  source: string;
  test?: string;
  declares?: string[];
  references?: string[];
}): Project[] {
  const { source, test = '', declares = [], references = [] } = options;
  const json = (value: unknown) => JSON.stringify(value);
  const dependencies = Object.fromEntries(declares.map((name) => [name, '*']));
  return projectsOf([
    { path: 'libs/a/package.json', text: json({ name: '@commservice/a', dependencies }) },
    { path: 'libs/a/tsconfig.lib.json', text: json({ references: references.map((p) => ({ path: p })) }) },
    { path: 'libs/a/src/a.ts', text: source },
    { path: 'libs/a/src/a.spec.ts', text: test },
    { path: 'libs/b/package.json', text: json({ name: '@commservice/b' }) },
  ]);
}

const USES_B = `import { b } from '@commservice/b';`;
const B = '@commservice/b';
const REFERENCE = '../b/tsconfig.lib.json';

describe('ownDependencies', () => {
  const messages = (options: Parameters<typeof repo>[0]) =>
    ownDependencies(repo(options)).map((f) => f.message);

  it('is content when imports, declarations and references agree', () => {
    expect(messages({ source: USES_B, declares: [B], references: [REFERENCE] })).toEqual([]);
  });

  it('finds an import that is not declared', () => {
    expect(messages({ source: USES_B })).toEqual([`must declare ${B}: it is imported`]);
  });

  it('finds a declaration and a reference that nothing needs', () => {
    expect(messages({ source: '', declares: [B], references: [REFERENCE] })).toEqual([
      `declares ${B}, which nothing imports`,
    ]);
    expect(messages({ source: '', references: [REFERENCE] })).toEqual([
      'has a tsconfig reference to libs/b, which it does not declare',
    ]);
  });

  it('finds a missing reference', () => {
    expect(messages({ source: USES_B, declares: [B] })).toEqual(['has no tsconfig reference to libs/b']);
  });

  it('leaves out what only tests import', () => {
    expect(messages({ source: '', test: USES_B })).toEqual([]);
  });
});

describe('otherDependencies', () => {
  const messages = (source: string, root: Record<string, string> = {}) =>
    otherDependencies(repo({ source }), root).map((f) => f.message);

  it('finds a package that nobody declares', () => {
    expect(messages(`import { z } from 'zod/mini';`)).toEqual(['must declare zod: it is imported']);
  });

  it("knows the root's packages, Node's modules and files", () => {
    expect(
      messages(`import ts from 'typescript'; import fs from 'node:fs'; import './b.js';`, {
        typescript: '6.0.3',
      }),
    ).toEqual([]);
  });
});
