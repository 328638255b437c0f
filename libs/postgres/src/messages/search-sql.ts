import type { Channel, Status } from '@commservice/contracts';

/** What `search` looks for; every field given must match. */
export interface MessageQuery {
  readonly team: string;
  readonly reference?: string;
  readonly traceId?: string;
  readonly status?: Status;
  readonly channel?: Channel;
  /** As returned by an earlier search; opaque. */
  readonly cursor?: string;
  /** Rows a page, 1–200. Default 50. */
  readonly limit?: number;
}

export const MESSAGE_COLUMNS = `id, team, channel, brand, category, priority, kind, status, status_at, generation, reference,
  trace_id, campaign, units, accepted_at, expires_at, metadata, attempt, account, provider_id, receipt_expected, code, reason`;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The id a cursor stands for, or undefined when it is none of ours. */
export function decodeMessageCursor(cursor: string): string | undefined {
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  return UUID.test(id) ? id : undefined;
}

export const encodeMessageCursor = (id: string): string => Buffer.from(id, 'latin1').toString('base64url');

export const pageSize = (limit: number | undefined): number =>
  Math.min(200, Math.max(1, Math.trunc(limit ?? 50)));

/**
 * Newest first. Ids are UUIDv7, so their order is the order of acceptance and each index (team, …, id DESC) gives a page
 * without sorting. Heartbeats are stored like messages but never listed.
 */
export function searchSql(
  query: MessageQuery,
  beforeId: string | undefined,
): { text: string; values: unknown[] } {
  const values: unknown[] = [query.team];
  const where = ['team = $1', "kind = 'message'"];
  const add = (column: string, operator: string, value: string | undefined): void => {
    if (value === undefined) return;
    values.push(value);
    where.push(`${column} ${operator} $${values.length}`);
  };
  add('reference', '=', query.reference);
  add('trace_id', '=', query.traceId);
  add('status', '=', query.status);
  add('channel', '=', query.channel);
  add('id', '<', beforeId);
  values.push(pageSize(query.limit) + 1);
  const text = `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE ${where.join(' AND ')} ORDER BY id DESC LIMIT $${values.length}`;
  return { text, values };
}
