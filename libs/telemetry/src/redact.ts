import { isError, serializeError } from './serialize-error.js';
import type { LogFields } from './logger.js';

/**
 * Keys whose values never reach a log line, at any depth and in any letter case. A second line of defence: the first is
 * that nobody passes them. A short `code` (vendor and error codes) is kept: one-time codes travel in `text`.
 */
export const REDACTED_KEYS = [
  'to',
  'content',
  'text',
  'title',
  'body',
  'subject',
  'html',
  'data',
  'phone',
  'email',
  'recipient',
  'address',
  'token',
  'sealed',
  'payload',
  'value',
  'secret',
  'password',
  'apikey',
  'authorization',
  'cookie',
  'headers',
  'url',
] as const;

const HIDDEN = '[redacted]';
const MAX_DEPTH = 5;
const MAX_ITEMS = 50;
const MAX_TEXT = 2048;
const redacted: ReadonlySet<string> = new Set(REDACTED_KEYS);

/** A copy of `fields` that is safe and small enough to write: keys redacted, errors reduced, depth and length bounded. */
export function redact(fields: LogFields): Record<string, unknown> {
  return copyObject(fields, 0);
}

function copyObject(source: object, depth: number): Record<string, unknown> {
  const entries = Object.entries(source).slice(0, MAX_ITEMS);
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      redacted.has(key.toLowerCase()) && value !== undefined ? HIDDEN : copy(value, depth + 1),
    ]),
  );
}

function copy(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (isError(value)) return serializeError(value);
  if (value instanceof Date) return value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth >= MAX_DEPTH) return '[deep]';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => copy(item, depth + 1));
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function')
    return (value as { toJSON(): unknown }).toJSON();
  return copyObject(value, depth);
}
