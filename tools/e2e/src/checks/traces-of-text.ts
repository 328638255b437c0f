import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { allTopics } from '@commservice/contracts';
import { readAll } from '@commservice/testkit';
import { APPS } from '@commservice/tools-stack';
import { Client } from 'pg';
import type { JourneyPlatform } from '../platform/journey-platform.js';

const TOPICS_AT_ONCE = 6;
/** The development catalogue: two brands, push has a topic for each. */
const BRANDS = ['alfa', 'beta'];
const PER_BRAND = { push: ['P1', 'P2', 'P3'] } as const;

/** A place that was searched, and which of the words stand there. */
export interface Find {
  readonly place: string;
  readonly words: readonly string[];
}

/** How much was searched: a search of nothing finds nothing. */
export interface SearchResult {
  readonly finds: readonly Find[];
  readonly records: number;
  readonly rows: number;
  readonly logBytes: number;
  readonly metricBytes: number;
}

/** Searches logs, metrics, every topic and every table of the run for words that must stand in none of them. */
export async function searchEverywhere(
  platform: JourneyPlatform,
  words: readonly string[],
): Promise<SearchResult> {
  const finds: Find[] = [];
  const search = (place: string, text: string): void => {
    const found = words.filter((word) => text.includes(word));
    if (found.length > 0) finds.push({ place, words: found });
  };
  const logBytes = searchLogs(platform, search);
  const metricBytes = await searchMetrics(platform, search);
  const records = await searchTopics(platform, search);
  const rows = await searchTables(platform, search);
  return { finds, records, rows, logBytes, metricBytes };
}

type Search = (place: string, text: string) => void;

function searchLogs(platform: JourneyPlatform, search: Search): number {
  const folder = path.join(platform.dataDir, 'logs');
  let bytes = 0;
  for (const file of readdirSync(folder)) {
    const text = readFileSync(path.join(folder, file), 'utf8');
    bytes += text.length;
    search(`log ${file}`, text);
  }
  return bytes;
}

async function searchMetrics(platform: JourneyPlatform, search: Search): Promise<number> {
  const texts = await Promise.all(
    APPS.map(async (app) => {
      const text = await (await fetch(`${platform.urls.apps[app]}/metrics`)).text();
      search(`metrics of ${app}`, text);
      return text.length;
    }),
  );
  return texts.reduce((sum, length) => sum + length, 0);
}

async function searchTopics(platform: JourneyPlatform, search: Search): Promise<number> {
  const names = allTopics(BRANDS, PER_BRAND, 'dev').map((topic) => topic.name);
  let records = 0;
  const worker = async (): Promise<void> => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const found = await readAll(name, { brokers: [platform.urls.kafka], deadlineMs: 60_000 });
      records += found.length;
      for (const { key, value, headers } of found)
        search(`topic ${name}`, `${key} ${value?.toString('utf8')} ${JSON.stringify(headers)}`);
    }
  };
  await Promise.all(Array.from({ length: TOPICS_AT_ONCE }, worker));
  return records;
}

async function searchTables(platform: JourneyPlatform, search: Search): Promise<number> {
  const client = new Client({ connectionString: platform.urls.postgres, statement_timeout: 60_000 });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    let rows = 0;
    for (const { name } of tables.rows) {
      const found = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      rows += found.rows.length;
      for (const { row } of found.rows) search(`table ${name}`, row);
    }
    return rows;
  } finally {
    await client.end();
  }
}
