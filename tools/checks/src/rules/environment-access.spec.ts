import { environmentAccess } from './environment-access.js';

const found = (path: string, text = 'const a = process.env.HOME;') =>
  environmentAccess([{ path, text }]).length;

describe('environmentAccess', () => {
  it('lets main.ts and config.ts of apps and tools read the environment, and tests', () => {
    const paths = ['apps/a/src/main.ts', 'tools/a/src/config.ts', 'libs/a/src/a.spec.ts'];
    expect(paths.map((path) => found(path))).toEqual([0, 0, 0]);
  });

  it('refuses it elsewhere', () => {
    const paths = [
      'libs/a/src/a.ts',
      'apps/a/src/wiring.ts',
      'libs/a/src/main.ts',
      'apps/a/src/deep/main.ts',
    ];
    expect(paths.map((path) => found(path))).toEqual([1, 1, 1, 1]);
  });

  it('knows it in a longer expression, and not in a comment or under another name', () => {
    expect(found('libs/a/src/a.ts', `f({ ...process.env }); g(process.env['A']);`)).toBe(2);
    expect(found('libs/a/src/a.ts', `// process.env\nconst env = job.env;`)).toBe(0);
  });
});
