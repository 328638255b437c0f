import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readTree } from './tree.js';

describe('readTree', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'checks-'));
  afterAll(() => rmSync(root, { recursive: true }));

  it('reads sources by their paths and leaves out what is built or installed', () => {
    for (const file of [
      'libs/a/src/a.ts',
      'libs/a/dist/a.js',
      'node_modules/b/c.ts',
      'README.md',
      'logo.png',
    ]) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), file);
    }
    expect(readTree(root)).toEqual([
      { path: 'README.md', text: 'README.md' },
      { path: 'libs/a/src/a.ts', text: 'libs/a/src/a.ts' },
    ]);
  });
});
