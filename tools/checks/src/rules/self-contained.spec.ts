import { selfContained } from './self-contained.js';

const found = (text: string) => selfContained([{ path: 'a.md', text }]).map((f) => f.line);
// in two parts, or this file would break the rule
const SIBLING = ['..', 'shared'].join('/');
const MACHINE = ['', 'work', 'main'].join('/');

describe('selfContained', () => {
  it('finds a path to the folder beside the repo and to the machine it was written on', () => {
    expect(found(`first\nsee ${SIBLING}/design.md\ncd ${MACHINE}`)).toEqual([2, 3]);
  });

  it('leaves words and our own paths alone', () => {
    expect(found('scope:shared, /home/work/, libs/work/a, a shared thing')).toEqual([]);
  });
});
