import { port, text } from '@commservice/config';
import { z } from 'zod';
import { environmentOf, envTable } from './env-table.js';

const schema = (defaultPort: number) =>
  z.object({ PORT: port(defaultPort).describe('HTTP port.'), NAME: text().describe('Its name.') });
const rows = (markdown: string) =>
  markdown
    .trim()
    .split('\n')
    .map((line) => line.replaceAll(/ +/g, ' '));

describe('envTable', () => {
  it('has one row a variable, with the default of each app where they differ', () => {
    const apps = [environmentOf('a', { env: schema(1) }), environmentOf('b', { env: schema(2) })];
    expect(rows(envTable(apps, '/root'))).toEqual([
      '| variable | default | meaning | read by |',
      expect.stringMatching(/^\| -+ \| -+ \| -+ \| -+ \|$/),
      '| `NAME` | required | Its name. | all |',
      '| `PORT` | `1` (a); `2` (b) | HTTP port. | all |',
    ]);
  });

  it('shows no path of the machine', () => {
    const env = z.object({ DIR: text({ default: '/root/x/.stack' }).describe('A folder.') });
    expect(envTable([environmentOf('a', { env })], '/root/x')).toContain('| `.stack` |');
  });

  it('finds the schema among other exports', () => {
    const exported = { env: schema(1), body: z.object({ name: z.string() }), read: () => 1, text: 'A' };
    expect(environmentOf('a', exported).variables.map((v) => v.name)).toEqual(['PORT', 'NAME']);
  });
});
