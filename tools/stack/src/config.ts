import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  hostPorts,
  loadConfig,
  optional,
  text,
  url,
  whole,
  withDefault,
  secretKey,
  type Environment,
} from '@commservice/config';
import { z } from 'zod';
import type { SuperviseOptions } from './console/supervise.js';
import { StackFault } from './fault.js';
import { APPS, BENCH_APPS, type AppName } from './platform/app-names.js';
import { DEVELOPMENT_CATALOGUE, DEVELOPMENT_MASTER_KEY } from './platform/development.js';
import { PORTS, PORT_NAMES, portsWith } from './ports.js';
import { DEFAULT_DATA_DIR } from './root.js';

/** What a bench adds has no variable: benches pick free ports. */
const START_PORTS = PORT_NAMES.filter((name) => !BENCH_APPS.some((app) => app === name));

const portFields = Object.fromEntries(
  START_PORTS.map((name) => [
    PORTS[name].variable,
    whole({ min: 1, max: 65_535, default: PORTS[name].port }).describe(`Port of ${PORTS[name].owner}.`),
  ]),
);

/** The environment of `npm start`. Whatever else is set is passed on to the apps. */
export const stackEnv = z.object({
  KAFKA_BROKERS: optional(hostPorts()).describe(
    'Brokers that already run, host:port separated by commas: no Kafka is started.',
  ),
  REDIS_URL: optional(url(['redis', 'rediss'])).describe('A Redis that already runs: none is started.'),
  DATABASE_URL: optional(url(['postgres', 'postgresql'])).describe(
    'A PostgreSQL that already runs: none is started.',
  ),
  CATALOGUE_FILE: text({ default: DEVELOPMENT_CATALOGUE }).describe(
    'The catalogue of categories, teams and accounts.',
  ),
  MASTER_KEY: withDefault(secretKey(), DEVELOPMENT_MASTER_KEY).describe(
    '32 bytes in base64 that wrap the data keys.',
  ),
  STACK_DIR: text({ default: DEFAULT_DATA_DIR }).describe('Folder for data, logs and pid files.'),
  ...portFields,
});

/** What `npm start` is asked to do. Throws ConfigError for the environment, StackFault for the arguments. */
export function readOptions(env: Environment, args: readonly string[]): SuperviseOptions {
  const config = loadConfig(stackEnv, env);
  const values = config as unknown as Record<string, number>;
  return {
    ports: portsWith(Object.fromEntries(START_PORTS.map((name) => [name, values[PORTS[name].variable]]))),
    ...readArguments(args),
    dataDir: path.resolve(config.STACK_DIR),
    catalogueFile: path.resolve(config.CATALOGUE_FILE),
    masterKey: config.MASTER_KEY.bytes().toString('base64'),
    external: {
      kafka: config.KAFKA_BROKERS?.join(','),
      redis: config.REDIS_URL,
      postgres: config.DATABASE_URL,
    },
    env: { ...env },
    autoRestart: true,
  };
}

const USAGE = `Usage: npm start [-- [--no-sandbox] [--apps <name,name …>]]
  --no-sandbox  leaves the sandbox's port to another provider
  --apps        starts only these of ${APPS.join(', ')}`;

function readArguments(args: readonly string[]): { sandbox: boolean; apps: readonly AppName[] } {
  const options = { 'no-sandbox': { type: 'boolean', default: false }, apps: { type: 'string' } } as const;
  try {
    const { values } = parseArgs({ args: [...args], options });
    const apps = values.apps?.split(',').map((name) => {
      const known = APPS.find((app) => app === name.trim());
      if (!known) throw new RangeError('unknown app');
      return known;
    });
    return { sandbox: !values['no-sandbox'], apps: apps ?? APPS };
  } catch {
    throw new StackFault(USAGE);
  }
}

/** This process's environment, which the apps inherit. */
export const ownEnvironment = (): NodeJS.ProcessEnv => process.env;

/** The servers' environment: nothing of ours but what any program needs, so that no PG… or REDIS… variable leaks in. */
export const plainEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  TMPDIR: process.env.TMPDIR,
  LC_ALL: 'C',
});
