import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Logger } from '@commservice/telemetry';
import { lockKeyOf } from './advisory-lock.js';

export interface MigrateOptions {
  readonly connectionString: string;
  readonly logger: Logger;
  /** Longest wait for another process that is migrating, in ms. Default 60 000. */
  readonly lockTimeoutMs?: number;
  /** Where the numbered files are. Default: those of this library. */
  readonly directory?: string;
}

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** The schema and this build do not fit together; trying again will not help. */
export class MigrationFault extends Error {
  readonly code = 'MIGRATION';
}

// One level above both src/ and dist/.
const OWN_MIGRATIONS = join(__dirname, '..', 'migrations');

/** The numbered files, in order. Throws when two share a number or one is missing between. */
export function readMigrations(directory: string = OWN_MIGRATIONS): Migration[] {
  const files = readdirSync(directory)
    .filter((f) => /^\d{6}_[a-z0-9_]+\.sql$/.test(f))
    .sort();
  return files.map((name, i) => {
    const number = Number(name.slice(0, 6));
    if (number !== i + 1)
      throw new MigrationFault(`migration ${name} is not number ${i + 1}: the files must count from 1`);
    const sql = readFileSync(join(directory, name), 'utf8');
    return { number, name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

/**
 * Brings the schema up to this build: each missing migration in its own transaction, in order. Processes that start
 * together wait for one another. Running it again does nothing.
 * @returns how many were applied
 * Rejects when the database is newer than this build, or when an applied file was changed afterwards.
 */
export async function migrate(options: MigrateOptions): Promise<number> {
  const migrations = readMigrations(options.directory);
  const client = new Client({
    connectionString: options.connectionString,
    connectionTimeoutMillis: 5_000,
    application_name: 'commservice-migrate',
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`SET lock_timeout = ${Math.floor(options.lockTimeoutMs ?? 60_000)}`);
    await client.query('SELECT pg_advisory_lock($1::bigint)', [lockKeyOf('migrate')]);
    const applied = await appliedOf(client);
    checkHistory(migrations, applied);
    const missing = migrations.filter((m) => !applied.has(m.number));
    for (const migration of missing) await applyOne(client, migration, options.logger);
    return missing.length;
  } finally {
    await client.end();
  }
}

async function appliedOf(client: Client): Promise<Map<number, string>> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
  );
  const { rows } = await client.query<{ number: number; checksum: string }>(
    'SELECT number, checksum FROM schema_migrations',
  );
  return new Map(rows.map((r) => [r.number, r.checksum]));
}

function checkHistory(migrations: readonly Migration[], applied: ReadonlyMap<number, string>): void {
  const newest = Math.max(0, ...applied.keys());
  if (newest > migrations.length) {
    throw new MigrationFault(
      `the database is at migration ${newest}, this build knows ${migrations.length}: use a newer build`,
    );
  }
  for (const m of migrations) {
    const checksum = applied.get(m.number);
    if (checksum !== undefined && checksum !== m.checksum) {
      throw new MigrationFault(`migration ${m.name} was changed after it was applied: add a new one instead`);
    }
  }
}

async function applyOne(client: Client, migration: Migration, logger: Logger): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(migration.sql);
    await client.query('INSERT INTO schema_migrations (number, name, checksum) VALUES ($1, $2, $3)', [
      migration.number,
      migration.name,
      migration.checksum,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw new MigrationFault(`migration ${migration.name} failed and was rolled back`, { cause: error });
  }
  logger.info({ migration: migration.name }, 'a migration was applied');
}
