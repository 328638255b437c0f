import {
  developmentDefault,
  durationMs,
  hostPorts,
  loadConfig,
  nodeEnv,
  oneOf,
  port,
  secretKey,
  text,
  url,
  whole,
  type Environment,
} from '@commservice/config';
import { LOG_LEVELS } from '@commservice/telemetry';
import { z } from 'zod';

/** Environment of ingest-api. */
export const ingestConfig = z.object({
  NODE_ENV: nodeEnv().describe('production refuses development keys and defaults'),
  HOST: text({ default: '127.0.0.1' }).describe('Address to listen on; containers set 0.0.0.0'),
  PORT: port(3000).describe('Port of the REST API, health and metrics'),
  POD: text({ default: 'ingest-api-0', maxLength: 64 }).describe(
    'Name of this process in logs, metrics and Kafka client ids',
  ),
  LOG_LEVEL: oneOf(LOG_LEVELS, 'info').describe('Least level that is logged'),
  BUILD: text({ default: 'dev', maxLength: 64 }).describe('Version and commit, shown in metrics'),
  KAFKA_BROKERS: developmentDefault(hostPorts(), '127.0.0.1:19092').describe(
    'Kafka brokers, host:port, comma separated',
  ),
  REDIS_URL: developmentDefault(url(['redis', 'rediss']), 'redis://127.0.0.1:16379').describe(
    'Redis of the idempotency keys',
  ),
  REDIS_KEY_PREFIX: text({ default: 'cs:' }).describe('Put before every Redis key'),
  DATABASE_URL: developmentDefault(
    url(['postgres', 'postgresql']),
    'postgres://commservice@127.0.0.1:15432/commservice',
  ).describe('PostgreSQL of the read model and the data keys'),
  CATALOGUE_FILE: text().describe('Path of the catalogue (YAML); watched for changes'),
  MASTER_KEY: secretKey().describe(
    '32 bytes, base64: wraps data keys; id MAC and recipient hash derive from it',
  ),
  PRODUCE_DEADLINE_MS: durationMs({ min: 100, max: 60_000, default: 5000 }).describe(
    "Longest wait for the broker's acknowledgement; then 503",
  ),
  PRODUCE_BUFFER_BYTES: whole({ min: 1 << 20, default: 32 << 20 }).describe(
    'Most bytes of one class that wait for an acknowledgement; above it 503 at once',
  ),
  HEARTBEAT_INTERVAL_MS: durationMs({ max: 3_600_000, default: 30_000 }).describe(
    'Time between two heartbeats of one lane; 0 = none',
  ),
  INGEST_PODS: whole({ min: 1, max: 1000, default: 1 }).describe(
    'Processes of this app that share the P1 ceilings; each gets its part',
  ),
});

export type IngestConfig = ReturnType<typeof readConfig>;

/** Parses the environment once. Throws ConfigError with every fault by name. */
export const readConfig = (env: Environment) => loadConfig(ingestConfig, env);
