import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { topicsOfCatalogue } from './catalogue-topics.js';
import { readCommand } from './config.js';

const DEVELOPMENT = path.resolve(__dirname, '../../stack/catalogue.yaml');

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function changed(from: string, to: string): string {
  const text = readFileSync(DEVELOPMENT, 'utf8');
  expect(text).toContain(from);
  const folder = mkdtempSync(path.join(tmpdir(), 'catalogue-'));
  folders.push(folder);
  const file = path.join(folder, 'catalogue.yaml');
  writeFileSync(file, text.replace(from, to));
  return file;
}

describe('topicsOfCatalogue', () => {
  it('names a topic per brand where the catalogue says so, and none twice', () => {
    const read = topicsOfCatalogue(DEVELOPMENT, 'dev');
    if (read.kind !== 'topics') throw new Error('the development catalogue is sound');
    const names = read.specs.map((s) => s.name);
    expect(names).toEqual(
      expect.arrayContaining([
        'commservice.push.messages.alfa.priority1',
        'commservice.push.messages.beta.priority1',
        'commservice.sms.messages.priority3.retry.15m',
        'dlq.commservice.sms.messages.priority1',
        'commservice.events.priority2',
      ]),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it('refuses a category whose messages would outlive the topic', () => {
    expect(topicsOfCatalogue(changed('PT72H', 'P9DT1S'), 'dev')).toEqual({
      kind: 'faulty',
      faults: ["Category promo: its TTL must be a day shorter than the topics' retention of 10 days."],
    });
  });

  it('tells what is wrong with a faulty catalogue', () => {
    const read = topicsOfCatalogue(changed('version: 1', 'version: 0'), 'dev');
    expect(read).toMatchObject({ kind: 'faulty', faults: [expect.stringContaining('/version')] });
  });

  it('tells that the file cannot be read', () => {
    expect(topicsOfCatalogue('/nowhere/catalogue.yaml', 'dev').kind).toBe('faulty');
  });
});

describe('readCommand', () => {
  it.each([
    [['--check'], 'check'],
    [['--create'], 'create'],
    [[], undefined],
    [['--check', '--create'], undefined],
    [['--delete'], undefined],
  ])('reads %j as %s', (args, command) => {
    expect(readCommand(args)).toBe(command);
  });
});
