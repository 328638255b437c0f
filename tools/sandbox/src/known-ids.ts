import { hash32 } from './random.js';

const SHARDS = 256;

/**
 * Ids an account has accepted, bounded: at least the last `capacity` are known, at most twice as many are held. Sharded,
 * because a single large Set stalls the event loop whenever it grows.
 */
export class KnownIds {
  private readonly shards = Array.from({ length: SHARDS }, () => ({
    young: new Set<string>(),
    old: new Set<string>(),
  }));
  private readonly perShard: number;

  constructor(capacity = 1_000_000) {
    this.perShard = Math.max(1, Math.ceil(capacity / SHARDS) * 2);
  }

  has(id: string): boolean {
    const shard = this.shardOf(id);
    return shard.young.has(id) || shard.old.has(id);
  }

  add(id: string): void {
    const shard = this.shardOf(id);
    if (shard.young.size >= this.perShard) {
      shard.old = shard.young;
      shard.young = new Set();
    }
    shard.young.add(id);
  }

  private shardOf(id: string): { young: Set<string>; old: Set<string> } {
    return this.shards[hash32(id) % SHARDS] as { young: Set<string>; old: Set<string> };
  }
}
