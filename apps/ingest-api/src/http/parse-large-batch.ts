import type { BatchTurns } from '../publish/batch-turns.js';
import { BatchScanner } from './batch-scanner.js';

/** Smaller bodies are parsed in one go, in about a millisecond. */
export const LARGE_BODY_BYTES = 128 * 1024;
const SCAN_BYTES = 64 * 1024;
/** Bytes of items parsed between two turns of the event loop. */
const PARSE_BYTES = 64 * 1024;
const MARK = '"\\u0000items"';

/**
 * `JSON.parse` of a batch body that does not hold up the event loop: items are found and parsed a stretch at a time, in
 * turn with other batches. The result, and what is refused, is the same. Rejects with a SyntaxError.
 */
export async function parseLargeBatch(bytes: Buffer, turns: BatchTurns): Promise<unknown> {
  const scanner = new BatchScanner(bytes);
  do await turns.next();
  while (scanner.scan(SCAN_BYTES));
  const { list, items, unclear } = scanner;
  if (!list || unclear) return JSON.parse(bytes.toString('utf8'));
  // what is around the items, with a mark in their place
  const frame = `${bytes.toString('utf8', 0, list.from)}${MARK}${bytes.toString('utf8', list.to)}`;
  const envelope = JSON.parse(frame) as { messages: unknown };
  // the same key in another spelling came later, and wins
  if (envelope.messages !== JSON.parse(MARK)) return JSON.parse(bytes.toString('utf8'));
  const messages: unknown[] = [];
  let parsedBytes = 0;
  for (const { from, to } of items) {
    if (parsedBytes >= PARSE_BYTES) {
      await turns.next();
      parsedBytes = 0;
    }
    messages.push(JSON.parse(bytes.toString('utf8', from, to)));
    parsedBytes += to - from;
  }
  envelope.messages = messages;
  return envelope;
}
