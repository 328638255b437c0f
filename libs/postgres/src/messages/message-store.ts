import type { MessageEvent } from '@commservice/contracts';
import type { Queryable } from '../postgres.js';
import { APPLY_SQL, applyValues } from './apply-sql.js';
import { eventKey, isStorable } from './event-order.js';
import { fieldsOf } from '../row-fields.js';
import type { ChangedMessage, StoredEvent, StoredMessage } from './message.js';
import { foldEvents } from './message-row.js';
import {
  MESSAGE_COLUMNS,
  decodeMessageCursor,
  encodeMessageCursor,
  pageSize,
  searchSql,
  type MessageQuery,
} from './search-sql.js';

export interface ApplyResult {
  /** Messages whose status moved. */
  readonly changed: ChangedMessage[];
  /** Events with numbers that no column can hold: left out, the others are stored. */
  readonly refused: readonly MessageEvent[];
}

export type SearchResult =
  { kind: 'page'; messages: StoredMessage[]; nextCursor?: string } | { kind: 'invalid-cursor' };

/**
 * Messages and their events in PostgreSQL. Stateless; every method is one round trip and rejects when the server is
 * unavailable (`sqlFaultOf`). Reads are scoped by team: another team's message is not there. Heartbeats are kept, so that
 * the sweeper counts a lost one too, and stay out of `search`.
 */
export class MessageStore {
  constructor(private readonly db: Queryable) {}

  /** Appends events and moves the messages they speak of. Late, double and reordered events change nothing. */
  async apply(events: readonly MessageEvent[]): Promise<ApplyResult> {
    const storable = [...new Map(events.filter(isStorable).map((e) => [eventKey(e), e])).values()];
    const refused = events.filter((e) => !isStorable(e));
    if (storable.length === 0) return { changed: [], refused };
    const rows = await this.db.query<{ moved: boolean } & Record<string, unknown>>(
      APPLY_SQL,
      applyValues(foldEvents(storable), storable),
    );
    const changed = rows
      .filter((r) => r.moved)
      .map(({ moved: _moved, ...row }) => fieldsOf<ChangedMessage>(row));
    return { changed, refused };
  }

  /** One message of a team; undefined when it is unknown, another team's, or so far only a receipt. */
  async byId(team: string, id: string): Promise<StoredMessage | undefined> {
    const rows = await this.db.query(`SELECT ${MESSAGE_COLUMNS} FROM messages WHERE id = $1 AND team = $2`, [
      id,
      team,
    ]);
    return rows[0] && fieldsOf<StoredMessage>(rows[0]);
  }

  /** What happened to a message of a team, oldest first, at most `limit` (default 500); empty when it is unknown. */
  async events(team: string, id: string, limit = 500): Promise<StoredEvent[]> {
    const rows = await this.db.query(
      `SELECT e.status, e.at, e.generation, e.attempt, e.account, e.provider_id, e.code, e.reason
       FROM message_events e JOIN messages m ON m.id = e.message_id
       WHERE e.message_id = $1 AND m.team = $2 ORDER BY e.generation, e.at, e.event_key LIMIT $3`,
      [id, team, limit],
    );
    return rows.map((r) => fieldsOf<StoredEvent>(r));
  }

  /** A team's messages, newest first, a page at a time. */
  async search(query: MessageQuery): Promise<SearchResult> {
    const before = query.cursor === undefined ? undefined : decodeMessageCursor(query.cursor);
    if (query.cursor !== undefined && before === undefined) return { kind: 'invalid-cursor' };
    const { text, values } = searchSql(query, before);
    const rows = (await this.db.query(text, values)).map((r) => fieldsOf<StoredMessage>(r));
    const messages = rows.slice(0, pageSize(query.limit));
    const last = messages.at(-1);
    return rows.length > messages.length && last
      ? { kind: 'page', messages, nextCursor: encodeMessageCursor(last.id) }
      : { kind: 'page', messages };
  }
}
