import { plainTypes } from './plain-types.js';

const messages = (text: string, path = 'libs/a/src/a.ts') =>
  plainTypes([{ path, text }]).map((f) => f.message);

describe('plainTypes', () => {
  it.each([
    'const a: any = 1;',
    'enum A { B }',
    'const enum A { B }',
    'interface IThing {}',
    'type IThing = string;',
    'export default 1;',
    'export default class A {}',
    'const a = b as any;',
  ])('refuses %s', (text) => {
    expect(messages(text)).toHaveLength(1);
  });

  it.each([
    'const a: unknown = 1;',
    `const A = { B: 'b' } as const;`,
    'interface Item {}',
    'interface Id {}',
    'switch (a) { default: b(); }',
    '// any enum',
    `const many = 'any';`,
  ])('allows %s', (text) => {
    expect(messages(text)).toEqual([]);
  });

  it('lets configuration files have the default export that their tools ask for', () => {
    expect(messages('export default {};', 'libs/a/vite.config.ts')).toEqual([]);
  });
});
