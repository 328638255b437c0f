import { z } from 'zod';
import {
  developmentDefault,
  durationMs,
  hostPorts,
  loadConfig,
  nodeEnv,
  oneOf,
  port,
  text,
  url,
  whole,
  type Environment,
} from '@commservice/config';
import { LOG_LEVELS } from '@commservice/telemetry';

/** Environment of the status projector. */
export const statusProjectorEnv = z.object({
  NODE_ENV: nodeEnv().describe('`production` refuses development-only values'),
  POD: text({ default: 'status-projector-0', maxLength: 64 }).describe(
    'Name of this process in logs and metrics',
  ),
  HOST: text({ default: '127.0.0.1' }).describe('Address to listen on'),
  PORT: port(3021).describe('Port of health, readiness and metrics'),
  LOG_LEVEL: oneOf(LOG_LEVELS, 'info').describe('Least severe level that is logged'),
  BUILD: text({ default: 'dev', maxLength: 64 }).describe('Version and commit, shown in metrics'),
  KAFKA_BROKERS: developmentDefault(hostPorts(), '127.0.0.1:19092').describe(
    'Brokers, comma-separated host:port',
  ),
  DATABASE_URL: developmentDefault(
    url(['postgres', 'postgresql']),
    'postgres://commservice@127.0.0.1:15432/commservice',
  ).describe('PostgreSQL that holds the read model'),
  DATABASE_POOL: whole({ min: 2, max: 100, default: 8 }).describe('Most connections to PostgreSQL'),
  STATEMENT_TIMEOUT_MS: durationMs({ min: 100, default: 10_000 }).describe('Longest time of one statement'),
  BATCH_EVENTS: whole({ min: 1, max: 1_000, default: 500 }).describe(
    'Most events in one transaction, per class',
  ),
  BUFFER_EVENTS: whole({ min: 1_000, max: 100_000, default: 5_000 }).describe(
    'Waiting events per class at which fetching pauses; it resumes at half of it',
  ),
  SWEEP_EVERY_MS: durationMs({ min: 1_000, default: 60_000 }).describe('Time between sweeps'),
  NEVER_SENT_AFTER_MS: durationMs({ default: 3_600_000 }).describe(
    'A message that was never sent becomes `expired` this long after its expiry',
  ),
  NO_RECEIPT_AFTER_MS: durationMs({ default: 259_200_000 }).describe(
    'A sent message without a receipt becomes `unconfirmed` after this',
  ),
});
export type StatusProjectorConfig = z.output<typeof statusProjectorEnv>;

/** Parses the environment; throws ConfigError with every fault by name. */
export const readConfig = (env: Environment): StatusProjectorConfig => loadConfig(statusProjectorEnv, env);
