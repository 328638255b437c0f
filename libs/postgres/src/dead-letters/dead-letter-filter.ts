import type { Channel, Priority } from '@commservice/contracts';
import type { DeadLetterState } from './dead-letter.js';

/** Which dead letters; every field given must match. Also the selector of a redrive job. */
export interface DeadLetterFilter {
  /** A lane topic, or a `dlq.` / `parked.` one. */
  readonly topic?: string;
  readonly channel?: Channel;
  readonly brand?: string;
  readonly priority?: Priority;
  readonly class?: string;
  readonly code?: string;
  readonly fingerprint?: string;
  readonly stage?: string;
  readonly state?: DeadLetterState;
  /** Epoch ms, inclusive. */
  readonly failedFrom?: number;
  /** Epoch ms, exclusive. */
  readonly failedTo?: number;
}

/** Appends to `values` what the returned SQL condition needs. Always a non-empty condition. */
export function whereOf(filter: DeadLetterFilter, values: unknown[]): string {
  const where = ['true'];
  const add = (column: string, operator: string, value: unknown): void => {
    if (value === undefined) return;
    values.push(value);
    where.push(`${column} ${operator} $${values.length}`);
  };
  const onItsOwnTopic = /^(dlq|parked)\./.test(filter.topic ?? '');
  add(onItsOwnTopic ? 'topic' : 'lane_topic', '=', filter.topic);
  for (const column of [
    'channel',
    'priority',
    'brand',
    'class',
    'code',
    'fingerprint',
    'stage',
    'state',
  ] as const) {
    add(column, '=', filter[column]);
  }
  add('failed_at', '>=', filter.failedFrom === undefined ? undefined : new Date(filter.failedFrom));
  add('failed_at', '<', filter.failedTo === undefined ? undefined : new Date(filter.failedTo));
  return where.join(' AND ');
}

export const encodeDeadLetterCursor = (failedAt: number, id: string): string =>
  Buffer.from(`${failedAt}.${id}`, 'utf8').toString('base64url');

/** What a cursor stands for, or undefined when it is none of ours. */
export function decodeDeadLetterCursor(cursor: string): { failedAt: number; id: string } | undefined {
  const m = /^(\d{1,15})\.([0-9a-f]{1,64})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'));
  return m ? { failedAt: Number(m[1]), id: m[2] as string } : undefined;
}
