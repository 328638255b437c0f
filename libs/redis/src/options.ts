import { silentLogger, type Logger } from '@commservice/telemetry';
import { z } from 'zod';

/** How to reach Redis. Parsed once by an app; faults name fields, never values. */
export const redisOptions = z.object({
  /** `redis://` or `rediss://` URL. */
  url: z.url({ protocol: /^rediss?$/ }),
  /** Put before every key and channel; separates environments and test runs. Default none. */
  keyPrefix: z.string().default(''),
  /** Deadline of a call that names none, in ms. Default 50: the most a P1 path may wait. */
  commandTimeoutMs: z.number().int().positive().default(50),
  /** A server that owes an answer and sends nothing for this long (to 1.5 times it) is left and reconnected to, in ms. Default 1000. */
  stallMs: z.number().int().positive().default(1000),
  /** First and longest wait between connection attempts, in ms; doubled each time. Default 50 and 1000. */
  reconnect: z
    .object({ minMs: z.number().int().positive(), maxMs: z.number().int().positive() })
    .default({ minMs: 50, maxMs: 1000 }),
  /** Most unanswered calls; beyond it a call gets `overloaded` at once. Default 10 000. */
  maxUnanswered: z.number().int().positive().default(10_000),
  /** Sends the calls of one event-loop turn in one write. Default off: it delays each call to the end of its turn. */
  autoPipelining: z.boolean().default(false),
  /** How often an edge bus checks that its connection is alive, in ms. Default 1000. */
  pingMs: z.number().int().positive().default(1000),
});

/** What a connection is made of: `redisOptions` (defaults apply) plus a name and a logger. */
export type RedisConnectionOptions = z.input<typeof redisOptions> & {
  /** Shown in CLIENT LIST and in logs. */
  readonly name: string;
  readonly logger?: Logger;
};

export type ResolvedRedisOptions = z.output<typeof redisOptions> & {
  readonly name: string;
  readonly logger: Logger;
};

/** Applies defaults. Throws on options that break a rule: a broken environment. */
export function resolveRedisOptions(options: RedisConnectionOptions): ResolvedRedisOptions {
  const { name, logger = silentLogger, ...rest } = options;
  return { ...redisOptions.parse(rest), name, logger };
}
