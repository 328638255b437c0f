import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase } from '@commservice/testkit';
import { silentLogger } from '@commservice/telemetry';
import { migrate, readMigrations } from './migrate.js';
import { Postgres } from './postgres.js';

describe('migrate', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let postgres: Postgres;

  beforeEach(async () => {
    database = await freshDatabase();
    postgres = new Postgres({
      connectionString: database.url,
      max: 2,
      statementTimeoutMs: 5_000,
      logger: silentLogger,
    });
  });
  afterEach(async () => {
    await postgres.close(2_000);
    await database.drop();
    for (const directory of folders.splice(0)) rmSync(directory, { recursive: true });
  });
  const folders: string[] = [];
  const run = (directory?: string): Promise<number> =>
    migrate({ connectionString: database.url, logger: silentLogger, ...(directory ? { directory } : {}) });
  const folder = (...files: string[]): string => {
    const directory = mkdtempSync(join(tmpdir(), 'migrations-'));
    folders.push(directory);
    files.forEach((sql, i) => writeFileSync(join(directory, `00000${i + 1}_step.sql`), sql));
    return directory;
  };

  it('applies each migration once, though several processes start together', async () => {
    const applied = await Promise.all([run(), run(), run()]);
    expect(applied.reduce((a, b) => a + b)).toBe(readMigrations().length);
    expect(await run()).toBe(0);
  });

  it('refuses a database that is newer than the build', async () => {
    await run(folder('CREATE TABLE a ()', 'CREATE TABLE b ()'));
    await expect(run(folder('CREATE TABLE a ()'))).rejects.toThrow(
      'the database is at migration 2, this build knows 1',
    );
  });

  it('refuses a migration that was changed after it was applied', async () => {
    await run(folder('CREATE TABLE a ()'));
    await expect(run(folder('CREATE TABLE a (b integer)'))).rejects.toThrow(
      'was changed after it was applied',
    );
  });

  it('leaves nothing of a migration that fails, and keeps those before it', async () => {
    const broken = folder('CREATE TABLE a ()', 'CREATE TABLE b (); SELECT 1 / 0');
    await expect(run(broken)).rejects.toThrow('000002_step.sql failed and was rolled back');
    expect(
      await postgres.query(`SELECT to_regclass('a') IS NOT NULL AS a, to_regclass('b') IS NOT NULL AS b`),
    ).toEqual([{ a: true, b: false }]);
  });

  it('gives an advisory lock to one holder at a time', async () => {
    const first = await postgres.tryLock('one');
    expect(await postgres.tryLock('one')).toBeUndefined();
    expect(first?.lost.aborted).toBe(false);
    await first?.release();
    const second = await postgres.tryLock('one');
    expect(second).toBeDefined();
    await second?.release();
  });

  it('tells the holder of an advisory lock that its session is gone', async () => {
    const lock = await postgres.tryLock('one');
    const lost = new Promise((resolve) => lock?.lost.addEventListener('abort', resolve));
    await postgres.query(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'`);
    await lost;
    const next = await postgres.tryLock('one');
    expect(next).toBeDefined();
    await next?.release();
  });
});
