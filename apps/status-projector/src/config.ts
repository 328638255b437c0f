import {
  durationMs,
  kafkaEnv,
  loadConfig,
  postgresEnv,
  serviceEnv,
  whole,
  type Environment,
} from '@commservice/config';
import { z } from 'zod';

/** Environment of the status projector. */
export const statusProjectorEnv = z.object({
  ...serviceEnv(3021, 'status-projector-0'),
  ...kafkaEnv,
  ...postgresEnv,
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
