import { Acceptor, CatalogueFile, P1Ceiling } from '@commservice/accept';
import { MessageIds, systemClock } from '@commservice/contracts';
import { MessageStore, Postgres, PostgresKeyRing } from '@commservice/postgres';
import { RedisConnection } from '@commservice/redis';
import type { ServicePlan, ServiceRuntime } from '@commservice/telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { readConfig, type IngestConfig } from './config.js';
import { serveDocsAssets } from './docs/assets.js';
import { Heartbeats } from './heartbeats/heartbeats.js';
import { installHttp } from './http/install-http.js';
import { RedisIdempotencyStore } from './idempotency/redis-idempotency-store.js';
import { IngestModule } from './ingest.module.js';
import { MessageReader } from './messages/reader.js';
import { Submission } from './messages/submission.js';
import { closeProducers, connectProducers, createProducers } from './producers.js';
import { BatchTurns } from './publish/batch-turns.js';
import { LanePublisher } from './publish/lane-publisher.js';
import { deriveKeys } from './secrets.js';

const KAFKA_CONNECT_MS = 30_000;
const CLOSE_MS = 8000;

/** The parts that hold a connection or a timer, opened. */
async function openStores(config: IngestConfig, runtime: ServiceRuntime) {
  const { logger } = runtime;
  const catalogue = new CatalogueFile({
    path: config.CATALOGUE_FILE,
    production: config.NODE_ENV === 'production',
    logger: logger.child({ part: 'catalogue' }),
  });
  const { brands } = await catalogue.load();
  catalogue.watch();
  runtime.onRelease('catalogue', () => catalogue.stop());
  const postgres = new Postgres({
    connectionString: config.DATABASE_URL,
    max: 10,
    statementTimeoutMs: 2000,
    logger,
  });
  runtime.onRelease('postgres', () => postgres.close(CLOSE_MS));
  const keyRing = new PostgresKeyRing({ postgres, masterKey: config.MASTER_KEY.bytes(), brands, logger });
  runtime.onRelease('data keys', () => keyRing.stop());
  const redis = new RedisConnection({
    url: config.REDIS_URL,
    keyPrefix: config.REDIS_KEY_PREFIX,
    name: `${config.POD}-idempotency`,
    logger,
  });
  runtime.onRelease('redis', () => redis.close(CLOSE_MS));
  await Promise.all([keyRing.start(), redis.start(1000)]);
  return { catalogue, postgres, keyRing, redis };
}

/** Producers that flush after the last request has been answered. */
async function openProducers(config: IngestConfig, runtime: ServiceRuntime, catalogue: CatalogueFile) {
  const producers = createProducers(config, runtime);
  runtime.onRelease('producers', () => closeProducers(producers, CLOSE_MS));
  await connectProducers(producers, catalogue.current, KAFKA_CONNECT_MS);
  runtime.readiness.register({
    name: 'kafka',
    check: () =>
      producers.lanes.P1.healthy
        ? { ok: true, detail: 'The broker takes records.' }
        : { ok: false, detail: 'The broker does not take records.' },
  });
  return producers;
}

/** Builds everything between the environment and the Nest module. */
async function buildIngest(config: IngestConfig, runtime: ServiceRuntime) {
  const { logger, metrics, readiness } = runtime;
  const { catalogue, postgres, keyRing, redis } = await openStores(config, runtime);
  const producers = await openProducers(config, runtime, catalogue);
  readiness.register({
    name: 'data keys',
    check: () =>
      keyRing.ready
        ? { ok: true, detail: "Today's and tomorrow's keys are loaded." }
        : { ok: false, detail: 'Keys of today or tomorrow are missing.' },
  });
  const clock = systemClock;
  const keys = deriveKeys(config.MASTER_KEY.bytes());
  const accept = { clock, ids: new MessageIds(keys.idMac), keyRing, hashKey: keys.recipientHash };
  const acceptor = new Acceptor({
    ...accept,
    ceiling: new P1Ceiling({ clock, share: 1 / config.INGEST_PODS }),
  });
  const publisher = new LanePublisher({
    ...producers,
    metrics,
    clock,
    deadlineMs: config.PRODUCE_DEADLINE_MS,
  });
  const submission = new Submission({
    ...{ acceptor, publisher, catalogue, metrics },
    turns: new BatchTurns(),
    monotonic: () => clock.monotonic(),
    idempotency: new RedisIdempotencyStore(redis),
  });
  const reader = new MessageReader({ store: new MessageStore(postgres), ids: accept.ids, logger });
  const heartbeats = new Heartbeats({
    intervalMs: config.HEARTBEAT_INTERVAL_MS,
    catalogue,
    accept,
    publisher,
    logger,
    metrics,
  });
  runtime.onStop('heartbeats', () => heartbeats.stop());
  return { submission, reader, heartbeats, catalogue };
}

/** How ingest-api is built and run. */
export function ingestPlan(env: NodeJS.ProcessEnv): ServicePlan {
  const config = readConfig(env);
  let parts: Awaited<ReturnType<typeof buildIngest>> | undefined;
  return {
    pod: config.POD,
    port: config.PORT,
    host: config.HOST,
    logLevel: config.LOG_LEVEL,
    build: config.BUILD,
    http: { bodyParser: false, requestTimeoutMs: 30_000 },
    module: async (runtime) => {
      parts = await buildIngest(config, runtime);
      return IngestModule.of(parts);
    },
    beforeListen: (app: NestFastifyApplication, { logger, metrics }) => {
      if (!parts) throw new Error('the module is built before the app listens');
      installHttp(app, { logger, metrics, catalogue: parts.catalogue });
      serveDocsAssets(app);
    },
    afterListen: () => parts?.heartbeats.start(),
  };
}
