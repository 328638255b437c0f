import {
  catalogueEnv,
  durationMs,
  kafkaEnv,
  loadConfig,
  masterKeyEnv,
  postgresEnv,
  redisEnv,
  serviceEnv,
  whole,
  type Environment,
} from '@commservice/config';
import { z } from 'zod';

/** Environment of ingest-api. */
export const ingestConfig = z.object({
  ...serviceEnv(3000, 'ingest-api-0'),
  ...kafkaEnv,
  ...redisEnv,
  ...postgresEnv,
  ...catalogueEnv,
  ...masterKeyEnv,
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
