import type { Channel, Priority } from '@commservice/contracts';

/**
 * Where a dead letter stands. `dead` → `redriving` (claimed by one job) → `redriven`, or `expired` / `gone` when the
 * job found it too old or no longer on its topic. `parked` waits for a person. `unreadable`: its headers tell nothing.
 */
export const DEAD_LETTER_STATES = [
  'dead',
  'redriving',
  'redriven',
  'expired',
  'gone',
  'parked',
  'unreadable',
] as const;
export type DeadLetterState = (typeof DEAD_LETTER_STATES)[number];

/** One dead letter as the index knows it: coordinates and context, never key, value or address. Times in epoch ms. */
export interface DeadLetter {
  /** `x-cs-dlq-id`, or a digest of the coordinates where the headers are unreadable. */
  readonly id: string;
  /** Where it lies. */
  readonly topic: string;
  readonly partition: number;
  readonly recordOffset: number;
  readonly state: DeadLetterState;
  /** The lane topic it goes back to. */
  readonly laneTopic: string;
  readonly channel?: Channel;
  readonly brand?: string;
  readonly priority?: Priority;
  /** Where it failed. */
  readonly originalTopic?: string;
  readonly originalPartition?: number;
  readonly originalOffset?: number;
  readonly originalGroup?: string;
  readonly deliveryCount?: number;
  readonly messageId?: string;
  readonly traceId?: string;
  readonly expiresAt?: number;
  /** Redrive generation the record had when it died. */
  readonly generation: number;
  readonly stage?: string;
  readonly class?: string;
  readonly code?: string;
  readonly fingerprint?: string;
  readonly disposition?: string;
  /** Redacted sentence of what went wrong. */
  readonly detail?: string;
  readonly attempts?: number;
  readonly account?: string;
  readonly build?: string;
  readonly failedAt: number;
  readonly originalAt?: number;
  readonly valueBytes: number;
  /** Why the headers could not be read. */
  readonly fault?: string;
  readonly redriveJob?: string;
  readonly redrivenAt?: number;
}

/** Field → column type, in the order of the columns. */
const COLUMN_TYPES = {
  id: 'text',
  topic: 'text',
  partition: 'integer',
  record_offset: 'bigint',
  state: 'text',
  lane_topic: 'text',
  channel: 'text',
  brand: 'text',
  priority: 'text',
  original_topic: 'text',
  original_partition: 'integer',
  original_offset: 'bigint',
  original_group: 'text',
  delivery_count: 'integer',
  message_id: 'text',
  trace_id: 'text',
  expires_at: 'timestamptz',
  generation: 'integer',
  stage: 'text',
  class: 'text',
  code: 'text',
  fingerprint: 'text',
  disposition: 'text',
  detail: 'text',
  attempts: 'integer',
  account: 'text',
  build: 'text',
  failed_at: 'timestamptz',
  original_at: 'timestamptz',
  value_bytes: 'integer',
  fault: 'text',
} as const;

/** Columns that the indexer writes. */
export const INDEXED_COLUMNS = Object.keys(COLUMN_TYPES);
export const DEAD_LETTER_COLUMNS = [...INDEXED_COLUMNS, 'redrive_job', 'redriven_at'].join(', ');
export const DEAD_LETTER_RECORDSET = Object.entries(COLUMN_TYPES)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ');

const snake = (field: string): string => field.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);

/** A dead letter as JSON that `json_to_recordset` reads. */
export function deadLetterJson(letter: DeadLetter): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(letter).map(([field, value]: [string, unknown]) => {
      const column = snake(field);
      const isTime = column.endsWith('_at') && typeof value === 'number';
      return [column, isTime ? new Date(Math.round(value)).toISOString() : value];
    }),
  );
}
