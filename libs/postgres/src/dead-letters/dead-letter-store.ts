import { jsonText } from '../json-text.js';
import type { Queryable } from '../postgres.js';
import { fieldsOf } from '../row-fields.js';
import {
  decodeDeadLetterCursor,
  encodeDeadLetterCursor,
  whereOf,
  type DeadLetterFilter,
} from './dead-letter-filter.js';
import {
  DEAD_LETTER_COLUMNS,
  DEAD_LETTER_RECORDSET,
  INDEXED_COLUMNS,
  deadLetterJson,
  type DeadLetter,
} from './dead-letter.js';

export interface DeadLetterPage {
  /** As returned by an earlier search; opaque. */
  readonly cursor?: string;
  /** Rows a page, 1–200. Default 50. */
  readonly limit?: number;
}

export type DeadLetterSearchResult =
  { kind: 'page'; deadLetters: DeadLetter[]; nextCursor?: string } | { kind: 'invalid-cursor' };

// The same failure written twice is one row. A dead letter that was moved to its parked topic is found there from then on.
const ADD_SQL = `
INSERT INTO dead_letters AS d (${INDEXED_COLUMNS.join(', ')})
SELECT DISTINCT ON (id) * FROM json_to_recordset($1::json) AS x(${DEAD_LETTER_RECORDSET})
ORDER BY id, (state = 'parked') DESC
ON CONFLICT (id) DO UPDATE SET state = 'parked', topic = excluded.topic, partition = excluded.partition,
  record_offset = excluded.record_offset
WHERE excluded.state = 'parked' AND d.state <> 'parked'
RETURNING id`;

/** The index of dead letters in PostgreSQL. Stateless; rejects when the server is unavailable. */
export class DeadLetterStore {
  constructor(private readonly db: Queryable) {}

  /** Adds what is not known yet. @returns how many rows were new or moved. */
  async add(letters: readonly DeadLetter[]): Promise<number> {
    if (letters.length === 0) return 0;
    return (await this.db.query(ADD_SQL, [jsonText(letters.map(deadLetterJson))])).length;
  }

  async byId(id: string): Promise<DeadLetter | undefined> {
    const rows = await this.db.query(`SELECT ${DEAD_LETTER_COLUMNS} FROM dead_letters WHERE id = $1`, [id]);
    return rows[0] && fieldsOf<DeadLetter>(rows[0]);
  }

  /** Newest failure first, a page at a time. */
  async search(filter: DeadLetterFilter, page: DeadLetterPage = {}): Promise<DeadLetterSearchResult> {
    const after = page.cursor === undefined ? undefined : decodeDeadLetterCursor(page.cursor);
    if (page.cursor !== undefined && after === undefined) return { kind: 'invalid-cursor' };
    const limit = Math.min(200, Math.max(1, Math.trunc(page.limit ?? 50)));
    const values: unknown[] = [];
    let where = whereOf(filter, values);
    if (after) {
      values.push(new Date(after.failedAt), after.id);
      where += ` AND (failed_at, id) < ($${values.length - 1}, $${values.length})`;
    }
    values.push(limit + 1);
    const rows = await this.db.query(
      `SELECT ${DEAD_LETTER_COLUMNS} FROM dead_letters WHERE ${where} ORDER BY failed_at DESC, id DESC LIMIT $${values.length}`,
      values,
    );
    const deadLetters = rows.slice(0, limit).map((r) => fieldsOf<DeadLetter>(r));
    const last = deadLetters.at(-1);
    return rows.length > limit && last
      ? { kind: 'page', deadLetters, nextCursor: encodeDeadLetterCursor(last.failedAt, last.id) }
      : { kind: 'page', deadLetters };
  }
}
