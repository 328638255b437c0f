import { silentLogger } from '@commservice/telemetry';
import { freshDatabase } from '@commservice/testkit';
import { migrate } from '../src/migrate.js';
import { Postgres } from '../src/postgres.js';

export interface MigratedPostgres {
  readonly url: string;
  readonly postgres: Postgres;
  /** Closes the pool and drops the database. */
  close(): Promise<void>;
}

/** A database of its own with the present schema, and a pool on it. */
export async function migratedPostgres(): Promise<MigratedPostgres> {
  const database = await freshDatabase();
  await migrate({ connectionString: database.url, logger: silentLogger });
  const postgres = new Postgres({
    connectionString: database.url,
    max: 4,
    statementTimeoutMs: 5_000,
    logger: silentLogger,
  });
  const close = async (): Promise<void> => {
    await postgres.close(2_000);
    await database.drop();
  };
  return { url: database.url, postgres, close };
}
