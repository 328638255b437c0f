import { fileSizes, functionSizes } from './size.js';

const lines = (n: number) => 'x;\n'.repeat(n);
const functionOf = (n: number) => `export function f() {\n${lines(n - 2)}}\n`;
const fails = (found: { fails: boolean }[]) => found.map((f) => f.fails);

describe('fileSizes', () => {
  const at = (path: string, n: number) => fails(fileSizes([{ path, text: lines(n) }]));

  it('warns above 200 lines and fails above 300', () => {
    expect([at('libs/a/src/a.ts', 200), at('libs/a/src/a.ts', 201)]).toEqual([[], [false]]);
    expect([at('libs/a/src/a.ts', 300), at('libs/a/src/a.ts', 301)]).toEqual([[false], [true]]);
  });

  it('gives tests 400 lines', () => {
    expect([at('libs/a/src/a.spec.ts', 400), at('libs/a/src/a.itest.ts', 401)]).toEqual([[false], [true]]);
  });

  it('measures scripts, and not texts', () => {
    expect([at('a/b-1.lua', 301), at('a/b.cjs', 301), at('README.md', 2000)]).toEqual([[true], [true], []]);
  });
});

describe('functionSizes', () => {
  const of = (text: string, path = 'libs/a/src/a.ts') => functionSizes([{ path, text }]);

  it('warns above 40 lines and fails above 60, from brace to brace', () => {
    expect([of(functionOf(40)), fails(of(functionOf(41)))]).toEqual([[], [false]]);
    expect([fails(of(functionOf(60))), fails(of(functionOf(61)))]).toEqual([[false], [true]]);
  });

  it('counts a closure also inside its parent, and methods and arrow functions too', () => {
    const inner = `const g = () => {\n${lines(60)}};\n`;
    expect(of(`class A {\n m() {\n${inner}}\n}`).map((f) => [f.line, f.fails])).toEqual([
      [2, true],
      [3, true],
    ]);
  });

  it('leaves tests out, and suites that others run', () => {
    expect(
      of(
        `export function suite() {\n it('a', () => {\n${lines(30)}});\n it('b', () => {\n${lines(30)}});\n}`,
      ),
    ).toEqual([]);
    expect(of(functionOf(100), 'libs/a/src/a.spec.ts')).toEqual([]);
  });
});
