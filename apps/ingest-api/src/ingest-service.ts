import { Acceptor, P1Ceiling } from '@commservice/accept';
import { MessageIds, systemClock } from '@commservice/contracts';
import { MessageStore } from '@commservice/postgres';
import type { ServicePlan, ServiceRuntime } from '@commservice/telemetry';
import { readConfig, type IngestConfig } from './config.js';
import { openConnections } from './connections.js';
import { serveDocsAssets } from './docs/assets.js';
import { Heartbeats } from './heartbeats/heartbeats.js';
import { installHttp } from './http/install-http.js';
import { RedisIdempotencyStore } from './idempotency/redis-idempotency-store.js';
import { IngestModule } from './ingest.module.js';
import { MessageReader } from './messages/reader.js';
import { Submission } from './messages/submission.js';
import { BatchTurns } from './publish/batch-turns.js';
import { LanePublisher } from './publish/lane-publisher.js';
import { deriveKeys } from './secrets.js';

/** Batches stand back this long after a P1 message. */
const P1_LATELY_MS = 1_000;

/** Builds everything between the environment and the Nest module. */
async function buildIngest(config: IngestConfig, runtime: ServiceRuntime) {
  const { logger, metrics } = runtime;
  const { catalogue, postgres, keyRing, redis, producers } = await openConnections(config, runtime);
  const clock = systemClock;
  const keys = deriveKeys(config.MASTER_KEY.bytes());
  const accept = { clock, ids: new MessageIds(keys.idMac), keyRing, hashKey: keys.recipientHash };
  const ceiling = new P1Ceiling({ clock, share: 1 / config.INGEST_PODS });
  const publisher = new LanePublisher({
    ...producers,
    metrics,
    clock,
    deadlineMs: config.PRODUCE_DEADLINE_MS,
  });
  const turns = new BatchTurns({ urgent: () => publisher.p1Within(P1_LATELY_MS) });
  const submission = new Submission({
    acceptor: new Acceptor({ ...accept, ceiling }),
    ...{ publisher, catalogue, metrics, turns },
    monotonic: () => clock.monotonic(),
    idempotency: new RedisIdempotencyStore(redis),
  });
  const reader = new MessageReader({ store: new MessageStore(postgres), ids: accept.ids, logger });
  const intervalMs = config.HEARTBEAT_INTERVAL_MS;
  const heartbeats = new Heartbeats({ intervalMs, catalogue, accept, publisher, logger, metrics });
  runtime.onStop('heartbeats', () => heartbeats.stop());
  return { submission, reader, heartbeats, catalogue, turns };
}

/** How ingest-api is built and run. Throws ConfigError on a faulty environment. */
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
    beforeListen: (app, { logger, metrics }) => {
      if (!parts) throw new Error('the module is built before the app listens');
      installHttp(app, { ...parts, logger, metrics });
      serveDocsAssets(app);
    },
    afterListen: () => parts?.heartbeats.start(),
  };
}
