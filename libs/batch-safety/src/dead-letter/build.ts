import { createHash } from 'node:crypto';
import {
  DLQ_HEADER,
  HEADER,
  KIP_1191,
  deadLetterTopic,
  isDeadLetterHeader,
  laneTopic,
  type Failure,
  type TextHeaders,
} from '@commservice/contracts';
import type { OutgoingRecord } from '../record.js';
import type { DeadLetterInput } from './dead-letter.js';
import { cutUtf8, redact } from './redact.js';

/** Most bytes that all dead-letter headers take together, names included. */
export const MAX_DLQ_HEADER_BYTES = 8 * 1024;
/** Longest short text (code, build, brand, account), in bytes. */
const MAX_WORD_BYTES = 128;
/** What gives way first when the budget is short. Coordinates, ids and classes never do. */
const TRIM_ORDER = [KIP_1191.message, DLQ_HEADER.build, DLQ_HEADER.account, DLQ_HEADER.brand] as const;

const sha256 = (...parts: (string | number)[]): string =>
  createHash('sha256').update(parts.join('\u0000')).digest('hex');

/** Id of a failure: 16 bytes in hex, the same whenever the same record fails at the same stage in the same group. */
export function deadLetterId(
  record: { topic: string; partition: number; offset: number },
  group: string,
  stage: string,
): string {
  return sha256(record.topic, record.partition, record.offset, group, stage).slice(0, 32);
}

/** Groups failures of one cause over records: 8 bytes in hex of class, code and stage. */
export function fingerprintOf(failure: Pick<Failure, 'class' | 'code' | 'stage'>): string {
  return sha256(failure.class, failure.code, failure.stage).slice(0, 16);
}

const bytesOf = (headers: TextHeaders): number =>
  Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + Buffer.byteLength(value), 0);

function trimToBudget(headers: Record<string, string>): TextHeaders {
  for (const name of TRIM_ORDER) {
    const over = bytesOf(headers) - MAX_DLQ_HEADER_BYTES;
    const value = headers[name];
    if (over <= 0) break;
    if (value !== undefined) headers[name] = cutUtf8(value, Math.max(0, Buffer.byteLength(value) - over));
  }
  return headers;
}

/** Vendors' codes are short words or numbers; anything else in that place is redacted like a text. */
function codeWord(code: string): string {
  return cutUtf8(/^(?:[A-Za-z][\w.:-]*|\d{1,5})$/.test(code) ? code : redact(code), MAX_WORD_BYTES);
}

const word = (name: string): string => cutUtf8(name, MAX_WORD_BYTES);

function errorContext(input: DeadLetterInput): TextHeaders {
  const { record, failure, group } = input;
  return trimToBudget({
    [KIP_1191.topic]: record.topic,
    [KIP_1191.partition]: String(record.partition),
    [KIP_1191.offset]: String(record.offset),
    [KIP_1191.group]: group,
    [KIP_1191.deliveryCount]: String(input.attempts),
    [KIP_1191.message]: redact(failure.detail),
    [DLQ_HEADER.v]: '1',
    [DLQ_HEADER.id]: deadLetterId(record, group, failure.stage),
    [DLQ_HEADER.disposition]: input.disposition,
    [DLQ_HEADER.stage]: failure.stage,
    [DLQ_HEADER.class]: failure.class,
    [DLQ_HEADER.code]: codeWord(failure.code),
    [DLQ_HEADER.fingerprint]: fingerprintOf(failure),
    [DLQ_HEADER.attempts]: String(input.attempts),
    [DLQ_HEADER.failedAt]: String(Math.round(input.nowEpochMs)),
    [DLQ_HEADER.build]: word(input.build),
    [DLQ_HEADER.originalTimestamp]: String(record.timestamp),
    ...(input.brand === undefined ? {} : { [DLQ_HEADER.brand]: word(input.brand) }),
    ...(input.account === undefined ? {} : { [DLQ_HEADER.account]: word(input.account) }),
  });
}

/** The headers a record had, without any that claim to be a dead letter's: only this producer may write those. */
export function withoutDeadLetterHeaders(headers: TextHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isDeadLetterHeader(name)));
}

/**
 * The dead letter of a record: on `dlq.<lane topic>` also when it failed in a retry topic, key and value byte for byte, its
 * own headers, and its error context in ours. A record without a key gets one (its id, or the dead letter's).
 * Pure; the same failure gives the same id. The text of the failure is redacted here once more.
 */
export function buildDeadLetter(input: DeadLetterInput): OutgoingRecord {
  const { record, lane } = input;
  const context = errorContext(input);
  const original = withoutDeadLetterHeaders(record.headers);
  const key = record.key ?? Buffer.from(original[HEADER.id] ?? (context[DLQ_HEADER.id] as string));
  return {
    topic: deadLetterTopic(lane),
    key,
    value: record.value,
    headers: { ...original, ...context },
    // Dead letters keep their source's partition; a retry topic has fewer, there the key finds the lane's own.
    ...(record.topic === laneTopic(lane) ? { partition: record.partition } : {}),
  };
}
