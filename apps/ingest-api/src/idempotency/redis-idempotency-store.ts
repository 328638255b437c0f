import { createHash, randomUUID } from 'node:crypto';
import type { LuaScript, RedisAnswer } from '@commservice/redis';
import type { Begun, IdempotencyStore } from './idempotency-store.js';
import { BEGIN, BEGUN, FINISH, RELEASE } from './idempotency-scripts.js';

/** How long an answer is repeated. */
const KEPT_MS = 24 * 3_600_000;
/** A holder that says nothing for this long is taken as dead: longer than any request lives. */
const RUNNING_MS = 60_000;
/** Longest wait for `finish` and `release`, ms. */
const SETTLE_MS = 1000;

/** The part of a Redis connection that is used. */
export interface ScriptRunner {
  run(
    script: LuaScript,
    keys: readonly string[],
    args: readonly (string | number)[],
    deadlineMs?: number,
  ): Promise<RedisAnswer>;
}

/** Redis names: the client's key is hashed, so that its length and content do not matter. */
const nameOf = (key: string): string => `idempotency:${createHash('sha256').update(key).digest('base64url')}`;

function read(value: unknown): Begun | undefined {
  if (!Array.isArray(value)) return undefined;
  switch (value[0]) {
    case BEGUN.running:
      return { kind: 'running' };
    case BEGUN.mismatch:
      return { kind: 'mismatch' };
    case BEGUN.done:
      return { kind: 'done', answer: String(value[1]) };
    default:
      return undefined;
  }
}

/** Idempotency keys in Redis: one hash a key, each step one script. No method rejects. */
export class RedisIdempotencyStore implements IdempotencyStore {
  constructor(
    private readonly redis: ScriptRunner,
    private readonly newToken: () => string = randomUUID,
  ) {}

  async begin(key: string, hash: string, deadlineMs: number): Promise<Begun> {
    const token = this.newToken();
    const answer = await this.redis.run(BEGIN, [nameOf(key)], [hash, token, RUNNING_MS], deadlineMs);
    if (answer.kind === 'answer') return read(answer.value) ?? { kind: 'new', token };
    // the call may have had effect after all: it must not hold the key against the client's next try
    if (answer.reason === 'deadline' || answer.reason === 'connection-lost') void this.release(key, token);
    return { kind: 'unavailable' };
  }

  async finish(key: string, token: string, answer: string): Promise<void> {
    await this.redis.run(FINISH, [nameOf(key)], [token, answer, KEPT_MS], SETTLE_MS);
  }

  async release(key: string, token: string): Promise<void> {
    await this.redis.run(RELEASE, [nameOf(key)], [token], SETTLE_MS);
  }
}
