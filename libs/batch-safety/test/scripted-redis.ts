import type { LuaScript, RedisAnswer } from '@commservice/redis';
import { CLAIM_LIFETIMES } from '../src/idempotency/claim.js';
import { ClaimTable, type Settlement } from '../src/idempotency/claim-table.js';
import type { ClaimRedis } from '../src/idempotency/redis-claim-store.js';

/** Answers the claim scripts from the twin's rules, can be cut off, and counts its calls. */
export class ScriptedRedis implements ClaimRedis {
  reachable = true;
  readonly calls: { script: string; keys: number }[] = [];
  private readonly table: ClaimTable;

  constructor(now: () => number) {
    this.table = new ClaimTable(CLAIM_LIFETIMES, now);
  }

  run(script: LuaScript, keys: readonly string[], args: readonly (string | number)[]): Promise<RedisAnswer> {
    this.calls.push({ script: script.name, keys: keys.length });
    if (!this.reachable) return Promise.resolve({ kind: 'no-answer', reason: 'not-connected' });
    return Promise.resolve({
      kind: 'answer',
      value: script.name === 'claim' ? this.claim(keys, args) : this.settle(keys, args),
    });
  }

  private claim(keys: readonly string[], args: readonly (string | number)[]): number[] {
    const group = keys.map((id, i) => ({ id, generation: Number(args[3 + i]) }));
    return this.table.claim(group, String(args[0]), Number(args[1])).map((answer) => {
      if (answer.kind === 'busy') return answer.waitMs;
      return answer.kind === 'new' ? -1 : answer.kind === 'done' ? -2 : -3;
    });
  }

  private settle(keys: readonly string[], args: readonly (string | number)[]): number {
    for (const [i, id] of keys.entries()) {
      const [op, generation, owner] = args.slice(2 + 3 * i, 5 + 3 * i);
      this.table.settle({
        id,
        op: op as Settlement['op'],
        generation: Number(generation),
        owner: String(owner),
      });
    }
    return keys.length;
  }
}
