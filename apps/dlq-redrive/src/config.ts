import {
  catalogueEnv,
  durationMs,
  kafkaEnv,
  loadConfig,
  postgresEnv,
  serviceEnv,
  whole,
  type Environment,
} from '@commservice/config';
import { z } from 'zod';

/** Environment of dlq-redrive. */
export const dlqRedriveEnv = z.object({
  ...serviceEnv(3020, 'dlq-redrive-0'),
  ...kafkaEnv,
  ...postgresEnv,
  ...catalogueEnv,
  DATABASE_POOL: whole({ min: 2, max: 100, default: 8 }).describe('Most connections to PostgreSQL'),
  STATEMENT_TIMEOUT_MS: durationMs({ min: 100, default: 10_000 }).describe('Longest time of one statement'),
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
