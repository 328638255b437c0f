import fc from 'fast-check';
import { inspect } from 'node:util';
import { z } from 'zod';
import {
  ConfigError,
  Secret,
  bytes,
  decimal,
  describeEnv,
  developmentDefault,
  durationMs,
  flag,
  hostPorts,
  listOf,
  loadConfig,
  nodeEnv,
  oneOf,
  optional,
  port,
  refusedInProduction,
  secret,
  secretKey,
  text,
  url,
  type ConfigFault,
  type EnvSchema,
  type Environment,
} from './index.js';

const DEVELOPMENT_KEY = Buffer.alloc(32, 7).toString('base64');
const PRODUCTION_KEY = Buffer.alloc(32, 9).toString('base64');

const schema = z
  .object({
    NODE_ENV: nodeEnv().describe('Which rules hold'),
    PORT: port(3000).describe('HTTP port'),
    KAFKA_BROKERS: hostPorts('127.0.0.1:19092').describe('Brokers'),
    DATABASE_URL: url(['postgres', 'postgresql'], 'postgres://cs:dev@127.0.0.1:15432/cs').describe(
      'PostgreSQL',
    ),
    MASTER_KEY: developmentDefault(secretKey(), DEVELOPMENT_KEY).describe(
      'Wraps data keys, 32 bytes, base64',
    ),
    RECEIPT_SECRET: optional(secret({ minBytes: 8 })).describe('Signs receipts'),
    LEASE_MS: durationMs({ default: 100, min: 10 }).describe('Lease, ms'),
    TIMEOUT_MS: durationMs({ default: 50, min: 1 }).describe('Call time-out, ms'),
    QUEUE_BYTES: bytes({ default: 1024 }).describe('Queue bound, bytes'),
    SHARE: decimal({ default: 0.5, max: 1 }).describe('Share, 0 to 1'),
    SPILL: flag(false).describe('Spill to disk'),
    MODE: oneOf(['local', 'noop'], 'local').describe('Mode'),
    LANES: listOf(['sms:P1', 'sms:P2', 'sms:P3'], 'sms:P1,sms:P2').describe('Lanes of this pod'),
    POD: text().describe('Name of this pod'),
    API_KEY: refusedInProduction(text({ default: 'real' }), ['demo']).describe('A key'),
  })
  .superRefine((c, ctx) => {
    if (c.LEASE_MS <= c.TIMEOUT_MS) {
      ctx.addIssue({ code: 'custom', path: ['LEASE_MS'], message: 'must exceed TIMEOUT_MS' });
    }
  });

const SOUND = { POD: 'sms-0' };
const PRODUCTION = { ...SOUND, NODE_ENV: 'production', MASTER_KEY: PRODUCTION_KEY };

function faultsOf(s: EnvSchema, env: Environment): readonly ConfigFault[] {
  try {
    loadConfig(s, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
const faults = (env: Environment): readonly ConfigFault[] => faultsOf(schema, env);
const names = (env: Environment): string[] => faults(env).map((f) => f.name);

describe('loadConfig', () => {
  it('fills in defaults and parses every kind of field', () => {
    const config = loadConfig(schema, {
      ...SOUND,
      KAFKA_BROKERS: 'a:1, [::1]:2',
      SPILL: 'on',
      LANES: 'sms:P3',
    });
    expect(config).toMatchObject({
      NODE_ENV: 'development',
      PORT: 3000,
      KAFKA_BROKERS: ['a:1', '[::1]:2'],
      LEASE_MS: 100,
      SHARE: 0.5,
      SPILL: true,
      MODE: 'local',
      LANES: ['sms:P3'],
      POD: 'sms-0',
    });
    const key: Secret = config.MASTER_KEY;
    expect(key.bytes()).toEqual(Buffer.alloc(32, 7));
    expect(config.RECEIPT_SECRET).toBeUndefined();
  });

  it('lists every fault at once, by variable and rule', () => {
    const env = { PORT: '70000', KAFKA_BROKERS: 'nowhere', SPILL: 'maybe', MODE: 'fast', LEASE_MS: '1.5' };
    expect(faults(env)).toEqual([
      { name: 'PORT', rule: 'must be a whole number from 0 to 65535' },
      { name: 'KAFKA_BROKERS', rule: 'must be a comma-separated list of host:port' },
      { name: 'LEASE_MS', rule: 'must be whole milliseconds of at least 10' },
      { name: 'SPILL', rule: 'must be true or false' },
      { name: 'MODE', rule: 'must be one of local, noop' },
      { name: 'POD', rule: 'is required' },
    ]);
  });

  it('treats an empty or blank variable as unset', () => {
    expect(loadConfig(schema, { ...SOUND, PORT: '' }).PORT).toBe(3000);
    expect(names({ POD: '  ' })).toEqual(['POD']);
  });

  it('checks rules between fields', () => {
    expect(faults({ ...SOUND, TIMEOUT_MS: '100' })).toEqual([
      { name: 'LEASE_MS', rule: 'must exceed TIMEOUT_MS' },
    ]);
  });

  it('freezes the result deeply', () => {
    const config = loadConfig(schema, SOUND);
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.KAFKA_BROKERS)).toBe(true);
  });

  it('ignores variables outside the schema', () => {
    expect(loadConfig(schema, { ...SOUND, HOME: '/root' })).not.toHaveProperty('HOME');
  });

  it('never repeats a value in a fault, whatever the value is', () => {
    const fields = Object.keys(schema.shape);
    const value = fc.stringMatching(/^[A-Za-z0-9]{12,40}$/).map((s) => `zq${s}`);
    fc.assert(
      fc.property(fc.constantFrom(...fields), value, (name, secretValue) => {
        try {
          loadConfig(schema, { ...SOUND, [name]: secretValue });
        } catch (error) {
          expect(inspect(error, { depth: 10 })).not.toContain(secretValue);
        }
      }),
    );
  });
});

describe('production', () => {
  it('takes an environment that sets what development only defaults', () => {
    expect(faults(PRODUCTION)).toEqual([]);
  });

  it('refuses a development-only default that was left in place', () => {
    const { MASTER_KEY: _unset, ...env } = PRODUCTION;
    expect(faults(env)).toEqual([{ name: 'MASTER_KEY', rule: 'is required when NODE_ENV=production' }]);
  });

  it('refuses a development-only value that was set, together with every other fault', () => {
    expect(
      names({ ...PRODUCTION, MASTER_KEY: ` ${DEVELOPMENT_KEY} `, API_KEY: 'demo', PORT: 'x' }).sort(),
    ).toEqual(['API_KEY', 'MASTER_KEY', 'PORT']);
  });

  it('takes those values in development', () => {
    expect(faults({ ...SOUND, MASTER_KEY: DEVELOPMENT_KEY, API_KEY: 'demo' })).toEqual([]);
  });
});

describe('secrets', () => {
  it('never shows itself when printed, serialised or put into text', () => {
    const value = new Secret(Buffer.from('hush-hush'));
    const shown = [inspect({ value }), JSON.stringify({ value }), String(value)];
    expect(shown.join()).not.toContain('hush');
    expect(value.text()).toBe('hush-hush');
  });

  it('hands out copies, so that a caller cannot change it', () => {
    const value = new Secret(Buffer.from('abc'));
    value.bytes().fill(0);
    expect(value.text()).toBe('abc');
  });

  it.each([
    ['too short', Buffer.alloc(31).toString('base64')],
    ['too long', Buffer.alloc(33).toString('base64')],
    ['not base64', '!'.repeat(44)],
  ])('refuses a key that is %s', (_case, key) => {
    expect(faults({ ...SOUND, MASTER_KEY: key })).toEqual([
      { name: 'MASTER_KEY', rule: 'must be exactly 32 bytes written as base64' },
    ]);
  });

  it('reads hex and text', () => {
    const s = z.object({ HEX: secret({ minBytes: 2, encoding: 'hex' }), TEXT: secret({ minBytes: 3 }) });
    const config = loadConfig(s, { HEX: 'c0ffee', TEXT: 'abc' });
    expect(config.HEX.bytes()).toEqual(Buffer.from('c0ffee', 'hex'));
    expect(config.TEXT.equals(new Secret(Buffer.from('abc')))).toBe(true);
    expect(faultsOf(s, { HEX: 'c0f', TEXT: 'ab' }).map((f) => f.name)).toEqual(['HEX', 'TEXT']);
  });
});

describe('describeEnv', () => {
  const described = describeEnv(schema);
  const of = (name: string): unknown => described.find((d) => d.name === name);

  it('lists every variable in order with its description', () => {
    expect(described.map((d) => d.name)).toEqual(Object.keys(schema.shape));
    expect(described.every((d) => d.description !== '')).toBe(true);
  });

  it('tells required, defaulted and optional variables apart', () => {
    expect(of('POD')).toMatchObject({ required: true, default: undefined });
    expect(of('PORT')).toMatchObject({ required: false, default: '3000', secret: false });
    expect(of('RECEIPT_SECRET')).toMatchObject({ required: false, default: undefined, secret: true });
  });

  it('shows no default of a secret and no password of a URL', () => {
    expect(of('MASTER_KEY')).toMatchObject({ default: undefined, secret: true, developmentOnly: true });
    expect(of('DATABASE_URL')).toMatchObject({ default: 'postgres://cs:***@127.0.0.1:15432/cs' });
  });

  it('keeps its notes through refine', () => {
    const s = z.object({
      A: port(1)
        .refine((n) => n > 0, 'must be positive')
        .describe('A port'),
    });
    expect(describeEnv(s)).toMatchObject([{ name: 'A', default: '1', description: 'A port' }]);
  });
});
