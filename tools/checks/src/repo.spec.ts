import { readFileSync } from 'node:fs';
import path from 'node:path';
import { show, type Finding } from './finding.js';
import { projectsOf } from './projects.js';
import { envTables } from './readme/app-environments.js';
import { mentionedScripts, scriptsTable } from './readme/scripts.js';
import { sectionOf } from './readme/section.js';
import { REPO_ROOT } from './root.js';
import { ownDependencies, otherDependencies } from './rules/dependencies.js';
import { environmentAccess } from './rules/environment-access.js';
import { fences } from './rules/fences.js';
import { folderNames } from './rules/folder-names.js';
import { luaScripts } from './rules/lua.js';
import { plainTypes } from './rules/plain-types.js';
import { selfContained } from './rules/self-contained.js';
import { fileSizes, functionSizes } from './rules/size.js';
import { tags } from './rules/tags.js';
import { versions } from './rules/versions.js';
import { readTree } from './tree.js';

interface RootManifest {
  scripts: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies: Record<string, string>;
}

const tree = readTree(REPO_ROOT);
const projects = projectsOf(tree);
const root = JSON.parse(readFileSync(path.join(REPO_ROOT, 'package.json'), 'utf8')) as RootManifest;
const textOf = (file: string) => tree.find((f) => f.path === file)?.text ?? '';
const expectNone = (findings: readonly Finding[]) => expect(findings.map(show)).toEqual([]);
const oversize = [...fileSizes(tree), ...functionSizes(tree)];

describe('the repo', () => {
  afterAll(() => {
    const rows = oversize.filter((o) => !o.fails).sort((a, b) => b.lines - a.lines);
    // straight to the stream: jest's console adds a stack trace to every line
    for (const row of rows)
      process.stdout.write(`warn  ${String(row.lines).padStart(4)} lines  ${show(row)}\n`);
  });

  it('is read whole', () => {
    expect(projects.length).toBeGreaterThan(25);
    expect(tree.length).toBeGreaterThan(300);
  });

  it('tags every project with its one type and its one scope', () => expectNone(tags(projects)));
  it('has no folder whose name says nothing', () => expectNone(folderNames(tree)));
  it('has no file and no function that is too long', () => expectNone(oversize.filter((o) => o.fails)));
  it('imports Kafka, Redis, PostgreSQL, HTTP and Nest packages only where they belong', () =>
    expectNone(fences(tree)));
  it("reads the environment only in apps' and tools' main.ts and config.ts", () =>
    expectNone(environmentAccess(tree)));
  it('needs nothing outside itself', () => expectNone(selfContained(tree)));
  it('has no any, enum, I-prefix or default export', () => expectNone(plainTypes(tree)));
  it('names its Lua scripts with their key counts and heads them', () => expectNone(luaScripts(tree)));

  it('pins every package to one exact version', () => {
    const all = projects.map((p) => ({
      path: `${p.folder}/package.json`,
      dependencies: { ...p.devDependencies, ...p.dependencies },
    }));
    expectNone(
      versions([
        { path: 'package.json', dependencies: { ...root.dependencies, ...root.devDependencies } },
        ...all,
      ]),
    );
  });

  it('declares and refers to exactly the own projects it imports', () =>
    expectNone(ownDependencies(projects)));
  it('declares every package it imports', () =>
    expectNone(otherDependencies(projects, root.devDependencies)));

  it('has a README for every lib, with its guarantees', () => {
    const libs = projects.filter((p) => p.folder.startsWith('libs/'));
    const without = libs.filter((p) => !/^## Guarantees$/m.test(textOf(`${p.folder}/README.md`)));
    expect(without.map((p) => p.folder)).toEqual([]);
  });

  it("has the apps' environment variables in its README (else: npm run docs:env)", () => {
    const readme = textOf('README.md');
    for (const [name, table] of Object.entries(envTables(REPO_ROOT)))
      expect(sectionOf(readme, name)).toBe(table);
  });

  it('has every script in its README, and no other', () => {
    const documents = tree.filter((f) => f.path.endsWith('.md'));
    expectNone([
      ...scriptsTable(textOf('README.md'), Object.keys(root.scripts)),
      ...mentionedScripts(documents, Object.keys(root.scripts)),
    ]);
  });
});
