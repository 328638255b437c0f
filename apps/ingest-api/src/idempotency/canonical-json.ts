import { createHash } from 'node:crypto';

/** Deeper values cannot become a message: they are refused by validation, so their order need not matter. */
const MAX_DEPTH = 32;

function canonical(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.map((v) => canonical(v, depth - 1));
  const record = value as Record<string, unknown>;
  // a list of pairs, so that a key named __proto__ stays a key
  return {
    pairs: Object.keys(record)
      .sort()
      .map((key) => [key, canonical(record[key], depth - 1)]),
  };
}

/** SHA-256 (hex) of a JSON value, equal for bodies that differ only in the order of fields and in white space. */
export function bodyHash(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(canonical(value, MAX_DEPTH)) ?? 'undefined')
    .digest('hex');
}
