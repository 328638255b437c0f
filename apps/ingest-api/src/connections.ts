import { CatalogueFile } from '@commservice/accept';
import { Postgres, PostgresKeyRing } from '@commservice/postgres';
import { RedisConnection } from '@commservice/redis';
import type { ServiceRuntime } from '@commservice/telemetry';
import type { IngestConfig } from './config.js';
import {
  allHealthy,
  closeProducers,
  connectProducers,
  createProducers,
  type Producers,
} from './producers.js';

const KAFKA_CONNECT_MS = 30_000;
const REDIS_CONNECT_MS = 1000;
const CLOSE_MS = 8000;
/** Missing data keys are looked for five times as often. */
const KEY_REFRESH_MS = 10_000;

/** Everything this app holds open. Each part is closed in the reverse order. */
export interface Connections {
  readonly catalogue: CatalogueFile;
  readonly postgres: Postgres;
  readonly keyRing: PostgresKeyRing;
  readonly redis: RedisConnection;
  readonly producers: Producers;
}

async function openCatalogue(config: IngestConfig, runtime: ServiceRuntime): Promise<CatalogueFile> {
  const catalogue = new CatalogueFile({
    path: config.CATALOGUE_FILE,
    production: config.NODE_ENV === 'production',
    logger: runtime.logger.child({ part: 'catalogue' }),
  });
  await catalogue.load();
  catalogue.watch();
  runtime.onRelease('catalogue', () => catalogue.stop());
  return catalogue;
}

async function openStores(config: IngestConfig, runtime: ServiceRuntime, brands: readonly string[]) {
  const { logger } = runtime;
  const masterKey = config.MASTER_KEY.bytes();
  const postgres = new Postgres({
    connectionString: config.DATABASE_URL,
    max: 10,
    statementTimeoutMs: 2000,
    logger,
  });
  runtime.onRelease('postgres', () => postgres.close(CLOSE_MS));
  const keyRing = new PostgresKeyRing({ postgres, masterKey, brands, logger, refreshMs: KEY_REFRESH_MS });
  runtime.onRelease('data keys', () => keyRing.stop());
  const redis = new RedisConnection({
    url: config.REDIS_URL,
    keyPrefix: config.REDIS_PREFIX,
    name: `${config.POD}-idempotency`,
    logger,
  });
  runtime.onRelease('redis', () => redis.close(CLOSE_MS));
  // neither keeps the app from starting: readiness, and the answers of those who need them, tell
  await Promise.all([keyRing.start(), redis.start(REDIS_CONNECT_MS)]);
  return { postgres, keyRing, redis };
}

/** What /health/ready and the dependency metric say of the connections. */
function report({ producers, keyRing, redis }: Connections, { readiness, metrics }: ServiceRuntime): void {
  readiness.register({
    name: 'kafka',
    check: () =>
      allHealthy(producers)
        ? { ok: true, detail: 'The broker takes records.' }
        : { ok: false, detail: 'The broker does not take records.' },
  });
  readiness.register({
    name: 'data keys',
    check: () =>
      keyRing.ready
        ? { ok: true, detail: "Today's and tomorrow's keys are loaded." }
        : { ok: false, detail: 'Keys of today or tomorrow are missing.' },
  });
  metrics.observe('dependencyUp', () => [
    { value: Number(allHealthy(producers)), attributes: { dependency: 'kafka' } },
    { value: Number(redis.ready), attributes: { dependency: 'redis' } },
    { value: Number(keyRing.ready), attributes: { dependency: 'keys' } },
  ]);
}

/** Opens all of them. Rejects on a faulty catalogue, and when Kafka does not answer. */
export async function openConnections(config: IngestConfig, runtime: ServiceRuntime): Promise<Connections> {
  const catalogue = await openCatalogue(config, runtime);
  const stores = await openStores(config, runtime, catalogue.current.brands);
  const producers = createProducers(config, runtime);
  // opened last, closed first: the last requests have been answered by then
  runtime.onRelease('producers', () => closeProducers(producers, CLOSE_MS));
  await connectProducers(producers, catalogue.current, KAFKA_CONNECT_MS);
  const connections = { catalogue, ...stores, producers };
  report(connections, runtime);
  return connections;
}
