import { setTimeout as delay } from 'node:timers/promises';
import { PRIORITIES, eventsTopic, projectorGroup } from '@commservice/contracts';
import { waitForCoordinator } from '@commservice/kafka';
import { MessageStore, Postgres, migrate, sqlFaultOf } from '@commservice/postgres';
import type { ServiceRuntime } from '@commservice/telemetry';
import { ClassProjector } from './class-projector.js';
import type { StatusProjectorConfig } from './config.js';
import { SweepJob } from './sweep-job.js';

const START_DEADLINE_MS = 60_000;
const RETRY_MS = 500;
const STOP_MS = 10_000;
const CHECK_MS = 900;

/**
 * The whole app: schema, one projector a class, the sweeper. `start` waits for PostgreSQL and Kafka; from then on either
 * may go away and come back, and readiness says so.
 */
export class Projector {
  private readonly postgres: Postgres;
  private readonly classes: readonly ClassProjector[];
  private readonly sweeper: SweepJob;
  private readonly kafka: { brokers: readonly string[]; clientId: string };

  constructor(
    private readonly config: StatusProjectorConfig,
    private readonly runtime: ServiceRuntime,
  ) {
    const { logger, metrics, readiness } = runtime;
    this.kafka = { brokers: config.KAFKA_BROKERS, clientId: config.POD };
    this.postgres = new Postgres({
      connectionString: config.DATABASE_URL,
      max: config.DATABASE_POOL,
      statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
      logger,
    });
    const store = new MessageStore(this.postgres);
    const limits = { batchEvents: config.BATCH_EVENTS, bufferEvents: config.BUFFER_EVENTS };
    this.classes = PRIORITIES.map((priority) => {
      const names = { priority, topic: eventsTopic(priority), group: projectorGroup(priority) };
      const projector = new ClassProjector({
        ...names,
        kafka: this.kafka,
        store,
        ...limits,
        logger,
        metrics,
      });
      readiness.register({ name: `events of ${priority}`, check: () => projector.check() });
      return projector;
    });
    this.sweeper = new SweepJob({
      ...{ postgres: this.postgres, store, logger, metrics, everyMs: config.SWEEP_EVERY_MS },
      ...{ neverSentAfterMs: config.NEVER_SENT_AFTER_MS, noReceiptAfterMs: config.NO_RECEIPT_AFTER_MS },
    });
    readiness.register({
      name: 'postgres',
      check: async () =>
        (await this.postgres.check(CHECK_MS))
          ? { ok: true, detail: 'PostgreSQL answers.' }
          : { ok: false, detail: 'PostgreSQL does not answer.' },
    });
  }

  /** Rejects when PostgreSQL or Kafka does not answer within a minute, or the schema is not ours. */
  async start(): Promise<void> {
    const { runtime, kafka } = this;
    runtime.onRelease('postgres', () => this.postgres.close(STOP_MS / 2));
    await this.migrated();
    const groups = PRIORITIES.map(projectorGroup);
    const silent = await waitForCoordinator({
      kafka,
      groups,
      deadlineMs: START_DEADLINE_MS,
      logger: runtime.logger,
    });
    if (silent.length > 0) throw new Error('Kafka does not answer');
    for (const projector of this.classes) runtime.onStop('events', () => projector.stop(STOP_MS));
    await Promise.all(this.classes.map((projector) => projector.start()));
    runtime.onStop('sweeper', () => this.sweeper.stop());
    this.sweeper.start();
  }

  private async migrated(): Promise<void> {
    const { DATABASE_URL: connectionString } = this.config;
    const endAt = performance.now() + START_DEADLINE_MS;
    for (;;) {
      try {
        await migrate({ connectionString, logger: this.runtime.logger });
        return;
      } catch (error) {
        if (sqlFaultOf(error) !== 'unavailable' || performance.now() > endAt) throw error;
        await delay(RETRY_MS);
      }
    }
  }
}
