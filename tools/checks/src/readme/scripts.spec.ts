import { mentionedScripts, scriptsTable } from './scripts.js';

const readme = (...names: string[]) =>
  `<!-- scripts:start -->\n${names.map((n) => `| \`${n}\` | does it |\n`).join('')}<!-- scripts:end -->`;

describe('scriptsTable', () => {
  it('is content when each script has its row; hooks need none', () => {
    expect(
      scriptsTable(readme('npm start', 'npm run topics -- --check'), ['prestart', 'start', 'topics']),
    ).toEqual([]);
  });

  it('finds a script without a row and a row without a script', () => {
    expect(scriptsTable(readme('npm run gone'), ['demo']).map((f) => f.message)).toEqual([
      'does not list the script demo',
      'lists gone, which is no script',
    ]);
  });

  it('finds a missing table', () => {
    expect(scriptsTable('', ['demo'])).toHaveLength(1);
  });
});

describe('mentionedScripts', () => {
  it('finds a script that a text names and that is not there', () => {
    const text = 'Run `npm run stack:reset`.\nThen npm test or npm start, npm run gone and npm ci.';
    const found = mentionedScripts([{ path: 'a.md', text }], ['stack:reset', 'start', 'test']);
    expect(found).toEqual([
      expect.objectContaining({ line: 2, message: 'names the script gone, which is not there' }),
    ]);
  });
});
