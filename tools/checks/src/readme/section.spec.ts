import { sectionOf, table, withSection } from './section.js';

const README = 'before\n<!-- a:start -->\nold\n<!-- a:end -->\nafter\n';

describe('a section of a README', () => {
  it('is read and replaced between its markers', () => {
    expect(sectionOf(README, 'a')).toBe('old\n');
    expect(withSection(README, 'a', 'new $1\n')).toBe(README.replace('old', () => 'new $1'));
  });

  it('is not guessed when the markers are missing', () => {
    expect(sectionOf(README, 'b')).toBeUndefined();
    expect(() => withSection(README, 'b', '')).toThrow('no markers');
  });
});

describe('table', () => {
  it('pads its columns and keeps a bar inside its cell', () => {
    expect(
      table([
        ['a', 'b'],
        ['x|y', ''],
      ]),
    ).toBe('| a    | b   |\n| ---- | --- |\n| x\\|y |     |');
  });
});
