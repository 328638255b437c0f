import type { Redis } from 'ioredis';

/** What may go at once after silence. */
const BURST_US = 100_000;

/**
 * Takes the next departure of the account. The bucket queues: each call gets a departure, in the order of the calls and
 * whatever its class. Server time only.
 * KEYS[1] the bucket · ARGV[1] µs between departures · ARGV[2] burst in µs. Returns the µs until the departure.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local last = tonumber(redis.call('GET', KEYS[1]) or 0)
local at = math.max(now, last)
redis.call('SET', KEYS[1], string.format('%.0f', at + ARGV[1]), 'PX', 60000)
return math.max(0, math.floor(at - now - ARGV[2]))
`;

type WithTake = Redis & { take(key: string, intervalUs: number, burstUs: number): Promise<number> };

/** The one token bucket of an account that all peer processes share. */
export class SharedBucket {
  private readonly redis: WithTake;

  constructor(
    redis: Redis,
    private readonly key: string,
    private readonly ratePerSecond: number,
  ) {
    redis.defineCommand('take', { numberOfKeys: 1, lua: TAKE });
    this.redis = redis as WithTake;
  }

  /** How long the caller must wait before its call, ms. */
  async take(): Promise<number> {
    return (await this.redis.take(this.key, Math.round(1e6 / this.ratePerSecond), BURST_US)) / 1000;
  }
}
