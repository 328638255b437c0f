import { Client, Pool, types, type CustomTypesConfig, type PoolClient, type QueryResultRow } from 'pg';
import type { Logger } from '@commservice/telemetry';
import { AdvisoryLock } from './advisory-lock.js';

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly connectionString: string;
  /** Most connections at once. */
  readonly max: number;
  /** The server ends a statement after this long, in ms; the client gives up one second later. */
  readonly statementTimeoutMs: number;
  readonly logger: Logger;
  /** Longest wait for a connection, in ms. Default 2 000. */
  readonly connectTimeoutMs?: number;
}

/** What a query may be run on: the pool, or one transaction. */
export interface Queryable {
  /** Rows of one statement. Timestamps come as epoch ms, bigint as number. Rejects; see `sqlFaultOf`. */
  query<R extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<R[]>;
}

const TIMESTAMPTZ = 1184;
const INT8 = 20;
const DATE = 1082;
const parsers: Record<number, (text: string) => unknown> = {
  // Sessions run in UTC: `2026-12-01 02:40:47.123+00`.
  [TIMESTAMPTZ]: (text) => Date.parse(text.replace(' ', 'T').replace(/\+00$/, 'Z')),
  [INT8]: Number,
  [DATE]: (text) => text,
};
const typesConfig: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    parsers[oid] ?? (types.getTypeParser(oid, format) as (text: string) => unknown),
};

/** Rejects after `deadlineMs`; the timer never keeps the process alive. */
async function within<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer from PostgreSQL within ${deadlineMs} ms`)),
      deadlineMs,
    );
    timer.unref();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The pool of connections to PostgreSQL. OPEN from construction (connections are made when first needed) → CLOSED.
 * A server that goes away makes queries reject as `unavailable`; the pool connects again by itself when it is back.
 * Called by the stores of this library only.
 */
export class Postgres implements Queryable {
  private readonly pool: Pool;

  constructor(private readonly options: PostgresOptions) {
    this.pool = new Pool({
      ...this.connection(),
      max: options.max,
      idleTimeoutMillis: 30_000,
      allowExitOnIdle: true,
    });
    // Without a listener an idle connection that the server closes would end the process.
    this.pool.on('error', (err) => options.logger.warn({ err }, 'an idle connection to PostgreSQL was lost'));
  }

  async query<R extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return (await this.pool.query<R>(text, values as unknown[])).rows;
  }

  /** Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. */
  async transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await work(queryableOf(client));
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((e: Error) => (broken = e));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** Whether the server answers a trivial query within `deadlineMs`. Never rejects. */
  async check(deadlineMs: number): Promise<boolean> {
    return within(this.query('SELECT 1'), deadlineMs).then(
      () => true,
      () => false,
    );
  }

  /**
   * Tries to become the only holder of `name` in the database, on a connection of its own.
   * @returns the lock, or undefined while another process holds it. Rejects when the server is unavailable.
   */
  async tryLock(name: string): Promise<AdvisoryLock | undefined> {
    return AdvisoryLock.acquire(
      new Client({ ...this.connection(), keepAlive: true }),
      name,
      this.options.logger,
    );
  }

  /** Closes every connection; queries in the air finish first, up to `deadlineMs`. Never rejects. */
  async close(deadlineMs: number): Promise<void> {
    await within(this.pool.end(), deadlineMs).catch((err: unknown) =>
      this.options.logger.warn({ err }, 'the connections to PostgreSQL did not close in time'),
    );
  }

  private connection(): object {
    const { connectionString, statementTimeoutMs, connectTimeoutMs = 2_000 } = this.options;
    return {
      connectionString,
      connectionTimeoutMillis: connectTimeoutMs,
      statement_timeout: statementTimeoutMs,
      // The client's own limit frees us from a connection that was cut without a word.
      query_timeout: statementTimeoutMs + 1_000,
      idle_in_transaction_session_timeout: statementTimeoutMs,
      application_name: 'commservice',
      options: '-c TimeZone=UTC',
      types: typesConfig,
    };
  }
}

function queryableOf(client: PoolClient): Queryable {
  return {
    query: async <R extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      (await client.query<R>(text, values as unknown[])).rows,
  };
}
