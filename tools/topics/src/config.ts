import { parseArgs } from 'node:util';
import { hostPorts, loadConfig, oneOf, text, whole, type Environment } from '@commservice/config';
import { z } from 'zod';

/** The environment of `npm run topics`. */
export const topicsEnv = z.object({
  KAFKA_BROKERS: hostPorts('127.0.0.1:19092').describe('Brokers to ask, host:port separated by commas.'),
  CATALOGUE_FILE: text().describe('The catalogue whose brands and channels need topics.'),
  TOPIC_PROFILE: oneOf(['dev', 'production'], 'dev').describe(
    'Partition counts: dev (one machine) or production.',
  ),
  TOPIC_REPLICATION: whole({ min: 1, max: 9, default: 1 }).describe('Copies of each partition.'),
});

export type TopicsConfig = ReturnType<typeof readConfig>;

/** Reads the environment; `catalogue` is the file used when CATALOGUE_FILE is unset. Throws a ConfigError. */
export function readConfig(env: Environment, catalogue: string) {
  return loadConfig(topicsEnv, { ...env, CATALOGUE_FILE: env['CATALOGUE_FILE'] ?? catalogue });
}

export const USAGE = 'Usage: npm run topics -- --check | --create';

/** What to do, or undefined when the arguments say neither or both. */
export function readCommand(args: readonly string[]): 'check' | 'create' | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { check: { type: 'boolean' }, create: { type: 'boolean' } },
    });
    if (values.check === values.create) return undefined;
    return values.check ? 'check' : 'create';
  } catch {
    return undefined;
  }
}
