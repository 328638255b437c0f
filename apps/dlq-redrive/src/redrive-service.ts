import { setTimeout as delay } from 'node:timers/promises';
import { CatalogueFile } from '@commservice/accept';
import {
  DEAD_LETTER_INDEX_GROUP,
  allTopics,
  perBrandOf,
  systemClock,
  type Catalogue,
} from '@commservice/contracts';
import { RecordProducer, RecordReader, waitForCoordinator, type KafkaOptions } from '@commservice/kafka';
import {
  DeadLetterStore,
  Postgres,
  RedriveProgress,
  RedriveStore,
  migrate,
  sqlFaultOf,
} from '@commservice/postgres';
import type { Logger, ServicePlan, ServiceRuntime } from '@commservice/telemetry';
import { readConfig, type DlqRedriveConfig } from './config.js';
import { serveDocsAssets } from './docs/docs.controller.js';
import { installHttp } from './http/operator.js';
import { DeadLetterIndexer } from './index/dead-letter-indexer.js';
import { JobDesk } from './redrive-jobs/job-desk.js';
import { RedriveModule } from './redrive.module.js';
import { JobRun } from './run/job-run.js';
import { Replay } from './run/replay.js';
import { RedriveRunner } from './run/runner.js';

const START_DEADLINE_MS = 60_000;
const STOP_MS = 8_000;
const CHECK_MS = 900;

/** Names of all dead-letter and parked topics. A brand added to the catalogue needs a restart. */
export function deadLetterTopics(catalogue: Catalogue): string[] {
  const names = allTopics(catalogue.brands, perBrandOf(catalogue), 'dev').map((t) => t.name);
  return names.filter((name) => /^(dlq|parked)\./.test(name));
}

async function migrated(connectionString: string, logger: Logger): Promise<void> {
  const endAt = performance.now() + START_DEADLINE_MS;
  for (;;) {
    try {
      await migrate({ connectionString, logger });
      return;
    } catch (error) {
      if (sqlFaultOf(error) !== 'unavailable' || performance.now() > endAt) throw error;
      await delay(500);
    }
  }
}

/** Catalogue and PostgreSQL, opened. */
async function openStores(config: DlqRedriveConfig, runtime: ServiceRuntime) {
  const { logger, readiness } = runtime;
  const production = config.NODE_ENV === 'production';
  const catalogue = new CatalogueFile({ path: config.CATALOGUE_FILE, production, logger });
  await catalogue.load();
  catalogue.watch();
  runtime.onRelease('catalogue', () => catalogue.stop());
  await migrated(config.DATABASE_URL, logger);
  const postgres = new Postgres({
    ...{ connectionString: config.DATABASE_URL, max: config.DATABASE_POOL, logger },
    statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
  });
  runtime.onRelease('postgres', () => postgres.close(STOP_MS));
  readiness.register({
    name: 'postgres',
    check: async () =>
      (await postgres.check(CHECK_MS))
        ? { ok: true, detail: 'PostgreSQL answers.' }
        : { ok: false, detail: 'PostgreSQL does not answer.' },
  });
  return { catalogue, postgres };
}

/** Consumer of the index, reader of single records, producer of replays: connected and joined. */
async function openKafka(
  config: DlqRedriveConfig,
  runtime: ServiceRuntime,
  catalogue: Catalogue,
  letters: DeadLetterStore,
) {
  const { logger, readiness } = runtime;
  const kafka = (part: string): KafkaOptions => ({
    brokers: config.KAFKA_BROKERS,
    clientId: `${config.POD}-${part}`,
  });
  const topics = deadLetterTopics(catalogue);
  const groups = [DEAD_LETTER_INDEX_GROUP];
  const silent = await waitForCoordinator({
    kafka: kafka('start'),
    groups,
    deadlineMs: START_DEADLINE_MS,
    logger,
  });
  if (silent.length > 0) throw new Error('Kafka does not answer');
  const producer = new RecordProducer({ kafka: kafka('replay'), logger });
  runtime.onRelease('producer', () => producer.close(STOP_MS));
  const lanes = topics.filter((t) => t.startsWith('dlq.')).map((t) => t.slice('dlq.'.length));
  await producer.connect(lanes, START_DEADLINE_MS);
  const reader = new RecordReader({ kafka: kafka('reader'), topics, logger });
  runtime.onRelease('reader', () => reader.close());
  const indexer = new DeadLetterIndexer({
    ...{ kafka: kafka('index'), group: DEAD_LETTER_INDEX_GROUP, topics, store: letters, logger },
  });
  runtime.onStop('index', () => indexer.stop(STOP_MS));
  readiness.register({ name: 'index', check: () => indexer.check() });
  await Promise.all([reader.start(START_DEADLINE_MS), indexer.start()]);
  return { producer, reader };
}

/** Everything between the environment and the Nest module. */
async function build(config: DlqRedriveConfig, runtime: ServiceRuntime) {
  const { logger, metrics } = runtime;
  const { catalogue, postgres } = await openStores(config, runtime);
  const letters = new DeadLetterStore(postgres);
  const { producer, reader } = await openKafka(config, runtime, catalogue.current, letters);
  const progress = new RedriveProgress(postgres);
  const clock = systemClock;
  const deadlines = {
    readDeadlineMs: config.READ_DEADLINE_MS,
    produceDeadlineMs: config.PRODUCE_DEADLINE_MS,
  };
  const replay = new Replay({ reader, producer, clock, logger, ...deadlines });
  const runner = new RedriveRunner({
    ...{ postgres, progress, logger },
    run: (job, signal) => new JobRun(job, { progress, replay, clock, logger, metrics }).run(signal),
  });
  runtime.onStop('runner', () => runner.stop());
  runner.start();
  const jobs = new RedriveStore(postgres);
  const desk = new JobDesk({ store: jobs, maxItems: config.MAX_JOB_ITEMS, onCreated: () => runner.wake() });
  return { catalogue, module: RedriveModule.of({ letters, jobs, desk }) };
}

/** How dlq-redrive is built and run. */
export function redrivePlan(env: NodeJS.ProcessEnv): ServicePlan {
  const config = readConfig(env);
  let catalogue: CatalogueFile | undefined;
  return {
    ...{
      pod: config.POD,
      host: config.HOST,
      port: config.PORT,
      logLevel: config.LOG_LEVEL,
      build: config.BUILD,
    },
    http: { bodyLimitBytes: 256 * 1024 },
    module: async (runtime) => {
      const built = await build(config, runtime);
      catalogue = built.catalogue;
      return built.module;
    },
    beforeListen: (app, { logger }) => {
      if (!catalogue) throw new Error('the module is built before the app listens');
      installHttp(app, { catalogue, logger });
      serveDocsAssets(app);
    },
  };
}
