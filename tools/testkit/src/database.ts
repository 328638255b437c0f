import { Client } from 'pg';
import { uniqueName } from './names.js';
import { testServers } from './servers/test-servers.js';

/** An empty database of one test file. */
export interface FreshDatabase extends AsyncDisposable {
  /** Connection string. */
  readonly url: string;
  /** Ends all its connections and removes it; for afterAll. */
  drop(): Promise<void>;
}

async function run(serverUrl: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Makes an empty database on the shared server. */
export async function freshDatabase(prefix = 'test'): Promise<FreshDatabase> {
  const server = (await testServers()).postgres.url;
  const name = uniqueName(prefix).replaceAll('-', '_');
  await run(server, `CREATE DATABASE "${name}"`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const drop = (): Promise<void> => run(server, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  return { url: url.href, drop, [Symbol.asyncDispose]: drop };
}
