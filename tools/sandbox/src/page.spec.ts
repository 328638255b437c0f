import { Script } from 'node:vm';
import { PAGE } from './page.js';

describe('the page', () => {
  it('has a script that compiles and sets no message as markup', () => {
    const script = /<script>([\s\S]*)<\/script>/.exec(PAGE)?.[1] ?? '';
    expect(script.length).toBeGreaterThan(100);
    expect(() => new Script(script)).not.toThrow();
    expect(script).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write/);
  });

  it('is made for phones, light and dark', () => {
    expect(PAGE).toContain('width=device-width');
    expect(PAGE).toContain('prefers-color-scheme:dark');
  });
});
