import { fault, MESSAGE_MAX_VALUES, refuse, type FaultCode } from '@commservice/accept';
import { BATCH_MAX_ITEMS, SINGLE_MAX_BYTES } from '@commservice/contracts';
import type { BatchTurns } from '../publish/batch-turns.js';
import { BatchScanner, type ItemSpan } from './batch-scanner.js';
import { HttpProblem } from './http-problem.js';

/** Smaller bodies are parsed in one go, in some milliseconds at worst. */
export const LARGE_BODY_BYTES = 128 * 1024;
const SCAN_BYTES = 64 * 1024;
/** Bytes of items parsed between two turns of the event loop. */
const PARSE_BYTES = 64 * 1024;
const MARK = '"\\u0000items"';
/** Text with more commas and opening brackets has more values than any message: it takes no parser to refuse it. */
const MAX_MARKS = 2 * MESSAGE_MAX_VALUES;
/** Stands for an item that is not worth parsing; validation refuses it as too complex, like the item. */
const UNREAD_ITEM = { unread: Array<null>(MESSAGE_MAX_VALUES).fill(null) };

const refused = (pointer: string, code: FaultCode): HttpProblem =>
  new HttpProblem(refuse([fault(pointer, code)]).problem);

const isUnreadable = (bytes: number, marks: number): boolean => bytes > SINGLE_MAX_BYTES || marks > MAX_MARKS;

/** A frame or a body that no parser needs to see. */
function refuseFrame(bytes: Buffer): HttpProblem {
  const isObject = bytes.toString('latin1', 0, 1024).trimStart().startsWith('{');
  return refused('', isObject ? 'too_complex' : 'body_not_object');
}

/**
 * `JSON.parse` of a large body that does not hold up the event loop: the items of a batch are found and parsed a stretch
 * at a time, in turn with other batches. The result, and what is malformed, is the same, except that nothing is parsed
 * which no message or batch can be: too many items, the key `messages` twice, or more values than a message has are
 * refused from their count (422), a single item of that kind on its own. Rejects with a SyntaxError or an HttpProblem.
 */
export async function parseLargeBatch(bytes: Buffer, turns: BatchTurns): Promise<unknown> {
  const scanner = new BatchScanner(bytes, BATCH_MAX_ITEMS);
  do await turns.next();
  while (scanner.scan(SCAN_BYTES));
  const { list, items, frameMarks } = scanner;
  switch (scanner.stopped) {
    case 'too-many-items':
      throw refused('/messages', 'too_many_entries');
    case 'twice':
      throw refused('/messages', 'duplicate_field');
    case 'malformed':
      throw new SyntaxError('The list ends with another bracket');
    case undefined:
  }
  const frameBytes = bytes.length - (list ? list.to - list.from : 0);
  if (isUnreadable(frameBytes, frameMarks)) throw refuseFrame(bytes);
  if (!list) return JSON.parse(bytes.toString('utf8'));
  // what is around the items, with a mark in their place
  const frame = `${bytes.toString('utf8', 0, list.from)}${MARK}${bytes.toString('utf8', list.to)}`;
  const envelope = JSON.parse(frame) as { messages: unknown };
  // the same key came later, with another value or in another spelling
  if (envelope.messages !== JSON.parse(MARK)) throw refused('/messages', 'duplicate_field');
  envelope.messages = await parseItems(bytes, items, turns);
  return envelope;
}

async function parseItems(bytes: Buffer, items: readonly ItemSpan[], turns: BatchTurns): Promise<unknown[]> {
  const messages: unknown[] = [];
  let parsedBytes = 0;
  for (const { from, to, marks } of items) {
    if (parsedBytes >= PARSE_BYTES) {
      await turns.next();
      parsedBytes = 0;
    }
    if (isUnreadable(to - from, marks)) messages.push(UNREAD_ITEM);
    else {
      messages.push(JSON.parse(bytes.toString('utf8', from, to)));
      parsedBytes += to - from;
    }
  }
  return messages;
}
