import {
  isTerminal,
  type Channel,
  type MessageEvent,
  type Priority,
  type Status,
} from '@commservice/contracts';
import type { Queryable } from '../postgres.js';
import { fieldsOf } from '../row-fields.js';
import type { StoredMessage } from './message.js';
import type { MessageStore } from './message-store.js';
import { MESSAGE_COLUMNS } from './search-sql.js';

export interface SweepOptions {
  /** Wall time, epoch ms. */
  readonly nowMs: number;
  /** A message that was never sent ends this long after its `expiresAt`. Default 1 h. */
  readonly neverSentAfterMs?: number;
  /** A sent message without a receipt ends this long after it was sent. Default 72 h. */
  readonly noReceiptAfterMs?: number;
  /** Most messages of each kind in one sweep. Default 500. */
  readonly limit?: number;
}

export interface SweepResult {
  /** Messages that never reached `sent`: now `expired`. Each is an imbalance: something lost its trace. */
  readonly expired: StoredMessage[];
  /** Messages without a receipt: now `unconfirmed`. */
  readonly unconfirmed: StoredMessage[];
  /** True when a limit was reached: sweep again at once. */
  readonly more: boolean;
}

const HOUR_MS = 3_600_000;
const at = (epochMs: number): string => new Date(epochMs).toISOString();

const NEVER_SENT = `SELECT ${MESSAGE_COLUMNS} FROM messages
  WHERE status_rank < 4 AND expires_at < $1::timestamptz ORDER BY expires_at LIMIT $2`;
const WITHOUT_RECEIPT = `SELECT ${MESSAGE_COLUMNS} FROM messages
  WHERE status = 'sent' AND status_at < $1::timestamptz ORDER BY status_at LIMIT $2`;

function endingEvent(m: StoredMessage, status: Status, nowMs: number, reason: string): MessageEvent {
  if (!isTerminal(status)) throw new Error('a sweep only ends messages');
  const { id, priority, team, channel, brand, category, reference, traceId, campaign, kind } = m;
  return {
    ...{
      v: 1,
      id,
      status,
      at: nowMs,
      generation: m.generation,
      priority,
      team,
      channel,
      brand,
      category,
      kind,
    },
    ...{ reference, traceId, campaign, units: m.units, acceptedAt: m.acceptedAt, expiresAt: m.expiresAt },
    ...{ code: 'swept', reason },
  };
}

/**
 * Ends messages that nobody will end any more. It writes through `apply`, so an event that arrives meanwhile, or later,
 * is weighed by the same rules. Run by one process at a time (advisory lock `sweeper`); two would do no harm.
 */
export async function sweep(db: Queryable, store: MessageStore, options: SweepOptions): Promise<SweepResult> {
  const { nowMs, neverSentAfterMs = HOUR_MS, noReceiptAfterMs = 72 * HOUR_MS, limit = 500 } = options;
  const read = async (sql: string, before: number): Promise<StoredMessage[]> =>
    (await db.query(sql, [at(before), limit])).map((r) => fieldsOf<StoredMessage>(r));
  const expired = await read(NEVER_SENT, nowMs - neverSentAfterMs);
  const unconfirmed = await read(WITHOUT_RECEIPT, nowMs - noReceiptAfterMs);
  await store.apply([
    ...expired.map((m) =>
      endingEvent(m, 'expired', nowMs, 'No outcome was recorded before the message expired'),
    ),
    ...unconfirmed.map((m) => endingEvent(m, 'unconfirmed', nowMs, 'No receipt came in time')),
  ]);
  return { expired, unconfirmed, more: expired.length === limit || unconfirmed.length === limit };
}

/** Messages of a lane that ended without a trace and that no late event has explained since. */
export interface Imbalance {
  readonly channel: Channel;
  readonly priority: Priority;
  readonly count: number;
}

/** What the sweeper had to end, by channel and class; empty when every accepted message came to its own end. */
export async function imbalance(db: Queryable): Promise<Imbalance[]> {
  const rows = await db.query<{ channel: Channel; priority: Priority; count: number }>(
    `SELECT channel, priority, count(*) FROM messages
     WHERE status = 'expired' AND code = 'swept' AND channel IS NOT NULL GROUP BY channel, priority`,
  );
  return rows;
}
