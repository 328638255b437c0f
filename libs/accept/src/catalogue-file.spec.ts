import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger, type Logger } from '@commservice/telemetry';
import { CatalogueFile } from './catalogue-file.js';
import { readCatalogue } from './catalogue-source.js';

const TEXT = readFileSync(join(__dirname, '../../../tools/stack/catalogue.yaml'), 'utf8');
const withVersion = (version: number, text = TEXT): string =>
  text.replace(/^version: \d+$/m, `version: ${version}`);

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function fileWith(text: string): { path: string; write: (text: string) => void } {
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
  folders.push(folder);
  const path = join(folder, 'catalogue.yaml');
  const write = (next: string): void => {
    writeFileSync(`${path}.new`, next);
    renameSync(`${path}.new`, path);
  };
  write(text);
  return { path, write };
}
function errorsOf(): { logger: Logger; errors: string[] } {
  const errors: string[] = [];
  return { errors, logger: { ...silentLogger, error: (_fields, message) => void errors.push(message) } };
}

describe('reading a catalogue', () => {
  it('takes the development one, but not in production', () => {
    expect(readCatalogue(TEXT, false).kind).toBe('catalogue');
    expect(readCatalogue(TEXT, true)).toMatchObject({
      kind: 'faulty',
      faults: [expect.stringContaining('development only')],
    });
  });

  it.each([
    ['no YAML', 'a: [', /not YAML/],
    ['doubled keys', 'version: 1\nversion: 2', /not YAML/],
    ['nothing', '', /invalid_type/],
    [
      'a route to nowhere',
      TEXT.replace('account: sms-a', 'account: sms-z'),
      /channels\/sms\/routes.*no account/,
    ],
    ['shares that do not add up', TEXT.replace('P3: 0.5 }', 'P3: 0.4 }'), /\/classShares: must sum to 1/],
    ['a share below 0', TEXT.replace('P1: 0.2, P2: 0.3', 'P1: -0.2, P2: 0.7'), /\/classShares\/P1/],
    ['an R of 0', TEXT.replace('ratePerSecond: 200', 'ratePerSecond: 0'), /\/accounts\/sms-a\/ratePerSecond/],
    [
      'a hold shorter than a tick',
      TEXT.replace('default: contention', 'default: contention, timing: { holdMs: 80 }'),
      /\/mutex\/timing\/holdMs: must not be shorter than tickMs/,
    ],
    [
      'a longest block of seconds written as ms',
      TEXT.replace('default: contention', 'default: contention, timing: { maxBlockMs: 60 }'),
      /\/mutex\/timing\/maxBlockMs/,
    ],
    ['an unknown mode', TEXT.replace('default: contention', 'default: polite'), /\/mutex\/default/],
    [
      'a limit of no brand',
      TEXT.replace('unit: part,', 'unit: part,\n      brandLimits: { gamma: { ratePerSecond: 1 } },'),
      /\/accounts\/sms-a\/brandLimits\/gamma: names no brand/,
    ],
    [
      'a brand limit of 0',
      TEXT.replace('unit: part,', 'unit: part,\n      brandLimits: { alfa: { ratePerSecond: 0 } },'),
      /\/accounts\/sms-a\/brandLimits\/alfa\/ratePerSecond/,
    ],
    [
      'a recipient limit of no messages',
      TEXT.replace('unit: part,', 'unit: part,\n      recipientLimit: { perMinute: 0 },'),
      /\/accounts\/sms-a\/recipientLimit\/perMinute/,
    ],
    ['an unknown field', `${TEXT}\nfoo: 1`, /unrecognized_keys/],
  ])('refuses %s and says where', (_name, text, expected) => {
    const read = readCatalogue(text, false);
    expect(read.kind === 'faulty' && read.faults.join('\n')).toMatch(expected);
  });

  it('refuses aliases that would expand without bound', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'.split('').map((c, i) => `${c}: &${c} [${Array(9).fill(`*${'abcdefg'[i]}`).join()}]`),
    ];
    expect(readCatalogue(bomb.join('\n'), false)).toMatchObject({
      kind: 'faulty',
      faults: [expect.stringContaining('aliases')],
    });
  });
});

describe('narrow limits', () => {
  it('are optional, may add up to more than R, and leave P1 alone unless they say so', () => {
    const limits =
      'brandLimits: { alfa: { ratePerSecond: 150 }, beta: { ratePerSecond: 150 } },\n      recipientLimit: { perMinute: 3 },';
    const read = readCatalogue(TEXT.replace('unit: part,', `unit: part,\n      ${limits}`), false);
    const account = read.kind === 'catalogue' ? read.catalogue.accounts['sms-a'] : undefined;
    expect(account?.recipientLimit).toEqual({ perMinute: 3, priorities: ['P2', 'P3'] });
    expect(readCatalogue(TEXT, false)).not.toHaveProperty('catalogue.accounts.sms-a.brandLimits');
  });
});

describe('the catalogue file', () => {
  it('refuses to start without a sound file', async () => {
    const { path } = fileWith('version: x');
    await expect(new CatalogueFile({ path, production: false, logger: silentLogger }).load()).rejects.toThrow(
      'faulty',
    );
  });

  it('takes a changed file of a higher version and tells its listeners', async () => {
    const { path, write } = fileWith(withVersion(1));
    const file = new CatalogueFile({ path, production: false, logger: silentLogger });
    await file.load();
    const seen: number[] = [];
    file.onChange((c) => seen.push(c.version));
    write(withVersion(2));
    await file.check();
    await file.check();
    expect([file.current.version, seen]).toEqual([2, [2]]);
  });

  it('keeps the catalogue in force when the new one is faulty, older or missing, and says so once', async () => {
    const { path, write } = fileWith(withVersion(5));
    const { logger, errors } = errorsOf();
    const file = new CatalogueFile({ path, production: false, logger });
    await file.load();
    for (const text of ['version: x', withVersion(4), withVersion(5, `${TEXT}\n# a comment`)]) {
      write(text);
      await file.check();
      await file.check();
    }
    expect(file.current.version).toBe(5);
    expect(errors).toHaveLength(3);
  });

  it('watches by itself until it is stopped', async () => {
    const { path, write } = fileWith(withVersion(1));
    const file = new CatalogueFile({ path, production: false, logger: silentLogger, pollMs: 5 });
    await file.load();
    const changed = new Promise<number>((resolve) => file.onChange((c) => resolve(c.version)));
    file.watch();
    write(withVersion(2));
    // the timer does not keep the process alive; this one does
    const alive = setInterval(() => undefined, 1000);
    expect(await changed).toBe(2);
    clearInterval(alive);
    file.stop();
  });
});
