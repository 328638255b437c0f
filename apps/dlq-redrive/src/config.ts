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
import { z } from 'zod';

/** Environment of dlq-redrive. */
export const dlqRedriveEnv = z.object({
  NODE_ENV: nodeEnv().describe('production refuses development keys and defaults'),
  HOST: text({ default: '127.0.0.1' }).describe('Address to listen on; containers set 0.0.0.0'),
  PORT: port(3020).describe('Port of the REST API, health and metrics'),
  POD: text({ default: 'dlq-redrive-0', maxLength: 64 }).describe(
    'Name of this process in logs, metrics and Kafka client ids',
  ),
  LOG_LEVEL: oneOf(LOG_LEVELS, 'info').describe('Least level that is logged'),
  BUILD: text({ default: 'dev', maxLength: 64 }).describe('Version and commit, shown in metrics'),
  KAFKA_BROKERS: developmentDefault(hostPorts(), '127.0.0.1:19092').describe(
    'Kafka brokers, host:port, comma separated',
  ),
  DATABASE_URL: developmentDefault(
    url(['postgres', 'postgresql']),
    'postgres://commservice@127.0.0.1:15432/commservice',
  ).describe('PostgreSQL of the dead-letter index, the jobs and the audit trail'),
  DATABASE_POOL: whole({ min: 2, max: 100, default: 8 }).describe('Most connections to PostgreSQL'),
  STATEMENT_TIMEOUT_MS: durationMs({ min: 100, default: 10_000 }).describe('Longest time of one statement'),
  CATALOGUE_FILE: text().describe('Path of the catalogue (YAML): keys, brands and which lanes are per brand'),
  MAX_JOB_ITEMS: whole({ min: 1, max: 1_000_000, default: 100_000 }).describe('Most dead letters of one job'),
  PRODUCE_DEADLINE_MS: durationMs({ min: 100, max: 60_000, default: 5_000 }).describe(
    "Longest wait for the broker's acknowledgement of one replay; it is tried again later",
  ),
  READ_DEADLINE_MS: durationMs({ min: 100, max: 60_000, default: 5_000 }).describe(
    'Longest wait for one dead letter to be read from its topic; it is tried again later',
  ),
});
export type DlqRedriveConfig = ReturnType<typeof readConfig>;

/** Parses the environment once. Throws ConfigError with every fault by name. */
export const readConfig = (env: Environment) => loadConfig(dlqRedriveEnv, env);
