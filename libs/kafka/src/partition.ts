const SEED = 0x9747b28c;
const M = 0x5bd1e995;

/** murmur2 as Kafka's Java clients compute it, over the key's bytes: a 32-bit signed integer. */
export function murmur2(key: Buffer): number {
  const length = key.length;
  const body = length & ~3;
  let h = SEED ^ length;
  for (let i = 0; i < body; i += 4) {
    let k = Math.imul(key.readInt32LE(i), M);
    k = Math.imul(k ^ (k >>> 24), M);
    h = Math.imul(h, M) ^ k;
  }
  const rest = length - body;
  if (rest >= 3) h ^= (key[body + 2] as number) << 16;
  if (rest >= 2) h ^= (key[body + 1] as number) << 8;
  if (rest >= 1) h = Math.imul(h ^ (key[body] as number), M);
  h = Math.imul(h ^ (h >>> 13), M);
  return h ^ (h >>> 15);
}

/** The partition of a key: murmur2 with its sign bit cleared, modulo the partition count (as the Java client does). */
export function partitionOf(key: Buffer, partitions: number): number {
  return (murmur2(key) & 0x7fffffff) % partitions;
}
