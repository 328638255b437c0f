import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { loadLua, type LuaScript, type RedisAnswer } from '@commservice/redis';
import {
  CLAIM_LIFETIMES,
  type ClaimAnswer,
  type ClaimEnd,
  type ClaimLifetimes,
  type ClaimRequest,
  type ClaimStore,
} from './claim.js';
import { claimKey } from './claim-key.js';
import { Settlements } from './settlements.js';

const LUA = join(__dirname, '..', '..', 'lua');
const CLAIM = loadLua(LUA, 'claim-n.lua');
const SETTLE = loadLua(LUA, 'settle-n.lua');
/** Settlements of one script call: it must not hold Redis up for longer than a millisecond or two. */
const SETTLE_CHUNK = 500;

/** The part of `RedisConnection` that claims need. */
export interface ClaimRedis {
  run(
    script: LuaScript,
    keys: readonly string[],
    args: readonly (string | number)[],
    deadlineMs?: number,
  ): Promise<RedisAnswer>;
}

export interface RedisClaimStoreOptions {
  readonly redis: ClaimRedis;
  readonly lifetimes?: ClaimLifetimes;
  /** Longest wait for a claim, in ms. Default 50. */
  readonly claimDeadlineMs?: number;
  /** How long settlements gather before they are told, in ms. Default 25. */
  readonly settleEveryMs?: number;
  /** Wait after a settlement got no answer, in ms. Default 250. */
  readonly settleRetryMs?: number;
  /** Most settlements waiting. Default 50 000; then the oldest are lost and counted. */
  readonly maxWaiting?: number;
}

const WORDS: Record<string, ClaimAnswer> = {
  '-1': { kind: 'new' },
  '-2': { kind: 'done' },
  '-3': { kind: 'takeover' },
};

function toAnswer(code: unknown): ClaimAnswer {
  if (typeof code !== 'number') return { kind: 'unknown' };
  return code >= 0 ? { kind: 'busy', waitMs: code } : (WORDS[String(code)] ?? { kind: 'unknown' });
}

/**
 * `ClaimStore` on Redis. A claim is one script call per group; settlements gather for `settleEveryMs` and go in one call.
 * States of the teller: IDLE → GATHERING (a timer runs) → TELLING → IDLE, or GATHERING again after no answer.
 * Invariants: a settlement waits until Redis answered it or the buffer overflows; what waits here is seen by claims of this
 * pod before Redis is asked; one settlement call is in the air at a time.
 */
export class RedisClaimStore implements ClaimStore {
  private readonly waiting: Settlements;
  private timer: NodeJS.Timeout | undefined;
  private telling: Promise<boolean> | undefined;

  constructor(private readonly options: RedisClaimStoreOptions) {
    this.waiting = new Settlements(options.maxWaiting ?? 50_000);
  }

  /** Settlements not yet told, and those given up for want of room. */
  counts(): { waiting: number; lost: number } {
    return { waiting: this.waiting.size, lost: this.waiting.lost };
  }

  async claim(
    group: readonly ClaimRequest[],
    owner: string,
    reserveMs: number,
    deadlineMs?: number,
  ): Promise<ClaimAnswer[]> {
    const ask = group.filter(({ id, generation }) => !this.waiting.isDone(id, generation));
    for (const { id } of ask) this.waiting.takeBackRelease(id);
    const answers = ask.length === 0 ? [] : await this.ask(ask, owner, reserveMs, deadlineMs);
    const byRequest = new Map(ask.map((request, i) => [request, answers[i] ?? { kind: 'unknown' as const }]));
    return group.map((request) => byRequest.get(request) ?? { kind: 'done' });
  }

  finish(id: string, end: ClaimEnd, owner: string, generation: number): void {
    this.waiting.add({ id, op: end, owner, generation });
    this.gather(this.options.settleEveryMs ?? 25);
  }

  release(id: string, owner: string): void {
    this.waiting.add({ id, op: 'release', owner, generation: 0 });
    this.gather(this.options.settleEveryMs ?? 25);
  }

  async flush(deadlineMs: number): Promise<boolean> {
    const end = performance.now() + deadlineMs;
    while (this.waiting.size > 0) {
      const leftMs = end - performance.now();
      if (leftMs <= 0) return false;
      if (!(await this.tell(leftMs)))
        await pause(Math.min(this.retryMs, Math.max(0, end - performance.now())));
    }
    return true;
  }

  private get retryMs(): number {
    return this.options.settleRetryMs ?? 250;
  }

  private async ask(
    group: readonly ClaimRequest[],
    owner: string,
    reserveMs: number,
    deadlineMs = this.options.claimDeadlineMs ?? 50,
  ): Promise<ClaimAnswer[]> {
    const { reservedMs } = this.options.lifetimes ?? CLAIM_LIFETIMES;
    const keys = group.map(({ id }) => claimKey(id));
    const args = [
      owner,
      Math.round(reserveMs),
      Math.max(reservedMs, Math.round(reserveMs)),
      ...group.map((r) => r.generation),
    ];
    const answer = await this.options.redis.run(CLAIM, keys, args, deadlineMs);
    if (answer.kind === 'no-answer' || !Array.isArray(answer.value))
      return group.map(() => ({ kind: 'unknown' }));
    return answer.value.map(toAnswer);
  }

  private gather(afterMs: number): void {
    if (this.timer || this.telling) return;
    this.timer = setTimeout(() => void this.tell(1000), afterMs).unref();
  }

  private async tell(deadlineMs: number): Promise<boolean> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.telling ??= this.tellOnce(deadlineMs).finally(() => (this.telling = undefined));
    const told = await this.telling;
    if (this.waiting.size > 0) this.gather(told ? 0 : this.retryMs);
    return told;
  }

  private async tellOnce(deadlineMs: number): Promise<boolean> {
    const entries = this.waiting.next(SETTLE_CHUNK);
    if (entries.length === 0) return true;
    const { doneMs, deadMs } = this.options.lifetimes ?? CLAIM_LIFETIMES;
    const keys = entries.map(([, s]) => claimKey(s.id));
    const args = entries.flatMap(([, s]) => [s.op, s.generation, s.owner]);
    const answer = await this.options.redis.run(SETTLE, keys, [doneMs, deadMs, ...args], deadlineMs);
    if (answer.kind === 'no-answer') return false;
    this.waiting.told(entries);
    return true;
  }
}
