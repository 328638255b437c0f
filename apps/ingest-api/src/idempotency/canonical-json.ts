import { createHash } from 'node:crypto';
import { MESSAGE_MAX_VALUES } from '@commservice/accept';

/** Deeper values cannot become a message: they are refused by validation, so their order need not matter. */
const MAX_DEPTH = 32;

/** Values that may still be read. What has more cannot become a message either: the rest need not be told apart. */
interface Room {
  values: number;
}

function canonical(value: unknown, depth: number, room: Room): unknown {
  room.values -= 1;
  if (room.values < 0) return null;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  const entries = Array.isArray(value) ? value : Object.keys(value);
  if (entries.length > room.values) {
    room.values = 0;
    return null;
  }
  if (Array.isArray(value)) return value.map((v) => canonical(v, depth - 1, room));
  const record = value as Record<string, unknown>;
  // a list of pairs, so that a key named __proto__ stays a key
  return {
    pairs: Object.keys(record)
      .sort()
      .map((key) => [key, canonical(record[key], depth - 1, room)]),
  };
}

const text = (value: unknown, depth: number): string =>
  JSON.stringify(canonical(value, depth, { values: MESSAGE_MAX_VALUES })) ?? 'undefined';

/**
 * SHA-256 (hex) of a message as JSON, equal for bodies that differ only in the order of fields and in white space. Its
 * work is bounded by what a message may hold.
 */
export const bodyHash = (message: unknown): string =>
  createHash('sha256').update(text(message, MAX_DEPTH)).digest('hex');

/**
 * The same for a batch body with nothing but these messages, one after the other.
 * @param pause awaited before every message: a batch must not hold up the event loop
 */
export async function batchHash(messages: readonly unknown[], pause: () => Promise<void>): Promise<string> {
  const hash = createHash('sha256').update('{"pairs":[["messages",[');
  for (const [index, message] of messages.entries()) {
    await pause();
    hash.update(index === 0 ? '' : ',').update(text(message, MAX_DEPTH - 2));
  }
  return hash.update(']]]}').digest('hex');
}
