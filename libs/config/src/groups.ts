import { developmentDefault, optional } from './env-field.js';
import { flag, hostPorts, list, nodeEnv, oneOf, port, text, url } from './fields.js';
import { secretKey } from './secret.js';

/**
 * Variables that several apps read, in one wording: an app spreads the groups it needs into its schema and adds its own.
 * The development defaults are the ports of `npm start` (design §4.4).
 */

/** What every service has. */
export const serviceEnv = (defaultPort: number, defaultPod: string) => ({
  NODE_ENV: nodeEnv().describe(
    '`development`, `test` or `production`; production refuses development-only values.',
  ),
  HOST: text({ default: '127.0.0.1' }).describe('Address to listen on; containers set `0.0.0.0`.'),
  PORT: port(defaultPort).describe('HTTP port.'),
  POD: text({ default: defaultPod, maxLength: 63 }).describe('Name of this process, unique among its kind.'),
  LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error'], 'info').describe('Least severe level that is logged.'),
  BUILD: text({ default: 'development' }).describe(
    'Version and commit of this build; in metrics and dead letters.',
  ),
});

export const kafkaEnv = {
  KAFKA_BROKERS: developmentDefault(hostPorts(), '127.0.0.1:19092').describe(
    'Kafka brokers, `host:port`, comma-separated.',
  ),
};

export const redisEnv = {
  REDIS_URL: developmentDefault(url(['redis', 'rediss']), 'redis://127.0.0.1:16379').describe(
    'Redis: coordination only (gate, tokens, claims).',
  ),
  REDIS_PREFIX: text({ default: 'cs:' }).describe('Put before every Redis key and channel.'),
};

export const postgresEnv = {
  DATABASE_URL: developmentDefault(
    url(['postgres', 'postgresql']),
    'postgres://commservice@127.0.0.1:15432/commservice',
  ).describe('PostgreSQL: data keys, read model, dead-letter index, audit.'),
};

export const catalogueEnv = {
  CATALOGUE_FILE: developmentDefault(text(), 'tools/stack/catalogue.yaml').describe(
    'The catalogue: categories, teams, keys, accounts, shares (YAML).',
  ),
};

export const masterKeyEnv = {
  // 32 bytes that spell their purpose; refused in production
  MASTER_KEY: developmentDefault(
    secretKey(),
    Buffer.from('commservice-development-only-key').toString('base64'),
  ).describe('Wraps the data keys that seal recipients and texts; 32 bytes, base64.'),
};

/** What the four dispatchers read. */
export const dispatcherEnv = (defaultPort: number, channel: string) => ({
  ...serviceEnv(defaultPort, `${channel}-1`),
  ...kafkaEnv,
  ...redisEnv,
  ...postgresEnv,
  ...catalogueEnv,
  ...masterKeyEnv,
  PROVIDER_URL: developmentDefault(url(['http', 'https']), 'http://127.0.0.1:3900').describe(
    'Base URL of the provider (development: the sandbox).',
  ),
  RECEIPT_BASE_URL: optional(url(['http', 'https'])).describe(
    'Where providers reach this service with receipts; unset = its own address.',
  ),
  LANES: list({ default: '' }).describe(
    'Lanes this process runs, `<channel>[.<brand>]:<class>` or `<channel>:<class>`; empty = all of its channel.',
  ),
  INIT_GROUP: flag(false).describe(
    'Read a topic that holds records although its group has no commit (same as `--init-group`).',
  ),
});
