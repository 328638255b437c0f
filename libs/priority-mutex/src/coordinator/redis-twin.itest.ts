import { RedisConnection } from '@commservice/redis';
import { redisPrefix, testServers } from '@commservice/testkit';
import fc from 'fast-check';
import type { ModelCoordinator } from '../model/fleet.js';
import { runScope, scopeCommands } from '../model/scope-commands.js';
import { ScopeWorld } from '../model/scope-world.js';
import type { LeaseAnswer, LeaseRequest, LeaseResult } from './coordinator.js';
import { MemoryCoordinator } from './memory-coordinator.js';
import { RedisCoordinator } from './redis-coordinator.js';

/** How many times more runs than usual: RUNS=100 hammers. */
const RUNS = Number(process.env['RUNS'] ?? 1);

/** Due times differ by what a double loses on the wire. */
function tidy(a: LeaseAnswer): unknown {
  const rounded = (v: unknown): unknown => (typeof v === 'number' ? Math.round(v * 1e4) / 1e4 : v);
  return JSON.parse(JSON.stringify({ ...a, run: '' }, (_, v: unknown) => rounded(v)));
}

/** Asks Redis and the twin in memory the same; rejects when they differ. */
class Both implements ModelCoordinator {
  private readonly twin: MemoryCoordinator;
  private readonly redis: RedisCoordinator;
  private life = 0;

  constructor(
    scripts: RedisConnection,
    nowMs: () => number,
    private readonly world: number,
  ) {
    this.twin = new MemoryCoordinator(nowMs);
    this.redis = new RedisCoordinator(scripts, { subscribe: () => () => undefined }, nowMs);
  }

  async lease(request: LeaseRequest, deadlineMs: number): Promise<LeaseResult> {
    const redis = await this.redis.lease({ ...request, scope: this.scope }, deadlineMs);
    const twin = await this.twin.lease(request);
    if (redis.kind !== 'answer' || twin.kind !== 'answer') throw new Error(JSON.stringify(redis));
    expect(tidy(redis.answer)).toEqual(tidy(twin.answer));
    return twin;
  }

  async leave(scope: string, pod: string, deadlineMs: number): Promise<void> {
    await this.redis.leave(this.scope, pod, deadlineMs);
    await this.twin.leave(scope, pod);
  }

  onEdge(): () => void {
    return () => undefined;
  }

  forget(): void {
    this.life++;
    this.twin.forget();
  }

  private get scope(): string {
    return `s${this.world}-${this.life}`;
  }
}

describe('the script in Redis and its twin', () => {
  let scripts: RedisConnection;
  beforeAll(async () => {
    const { url } = (await testServers()).redis;
    scripts = new RedisConnection({ url, keyPrefix: redisPrefix(), name: 'scripts' });
    await scripts.start(5000);
  });
  afterAll(() => scripts.close(500));

  it.each([
    ['equal', 200, true],
    ['P1 apart', 333, false],
    ['one pod', 61, true],
  ] as const)(
    'answer alike, and keep the rules, through any life of three pods: partitions split "%s", R = %d, memory lost %s',
    async (split, rate, restart) => {
      let worlds = 0;
      await fc.assert(
        fc.asyncProperty(
          scopeCommands({ restart, cut: split === 'equal', die: split !== 'equal' }),
          (commands) =>
            runScope(
              new ScopeWorld(rate, split, (now) => new Both(scripts, now, ++worlds * 1000 + rate)),
              commands,
            ),
        ),
        { numRuns: 15 * RUNS },
      );
    },
    600_000,
  );
});
