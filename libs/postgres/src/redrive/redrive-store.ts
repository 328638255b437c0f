import { AuditLog } from '../audit-log.js';
import { whereOf } from '../dead-letters/dead-letter-filter.js';
import type { Postgres, Queryable } from '../postgres.js';
import {
  JOB_COLUMNS,
  jobOf,
  type CancelResult,
  type CreateResult,
  type JobRow,
  type RedriveJob,
  type RedriveRequest,
} from './redrive-job.js';

/** Ends a transaction whose answer is not a job, without an error to its caller. */
class Abandoned extends Error {
  constructor(readonly result: CreateResult) {
    super('abandoned');
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Redrive jobs as the API sees them: made, listed, cancelled. Every act is written to the audit trail in its own
 * transaction. Rejects when the server is unavailable.
 */
export class RedriveStore {
  constructor(private readonly postgres: Postgres) {}

  /** Makes a job and freezes its set: dead letters that arrive later are not part of it. */
  async create(request: RedriveRequest): Promise<CreateResult> {
    try {
      return await this.postgres.transaction((tx) => this.createIn(tx, request));
    } catch (error) {
      if (error instanceof Abandoned) return error.result;
      throw error;
    }
  }

  async byId(id: string): Promise<RedriveJob | undefined> {
    if (!UUID.test(id)) return undefined;
    const rows = await this.postgres.query<JobRow>(`SELECT ${JOB_COLUMNS} FROM redrive_jobs WHERE id = $1`, [
      id,
    ]);
    return rows[0] && jobOf(rows[0]);
  }

  /** Newest first. */
  async list(limit = 50): Promise<RedriveJob[]> {
    const rows = await this.postgres.query<JobRow>(
      `SELECT ${JOB_COLUMNS} FROM redrive_jobs ORDER BY created_at DESC, id DESC LIMIT $1`,
      [limit],
    );
    return rows.map(jobOf);
  }

  /** Asks the runner to stop; what was produced stays produced. */
  async cancel(id: string, actor: string): Promise<CancelResult> {
    if (!UUID.test(id)) return { kind: 'unknown' };
    return this.postgres.transaction(async (tx) => {
      const [row] = await tx.query<JobRow>(
        `SELECT ${JOB_COLUMNS} FROM redrive_jobs WHERE id = $1 FOR UPDATE`,
        [id],
      );
      if (!row) return { kind: 'unknown' };
      const finished = row.state === 'completed' || row.state === 'cancelled';
      if (!finished) await tx.query(`UPDATE redrive_jobs SET state = 'cancelling' WHERE id = $1`, [id]);
      const job = jobOf(finished ? row : { ...row, state: 'cancelling' });
      const result = { was: row.state, now: job.state, produced: job.counters.produced };
      await new AuditLog(tx).append({ actor, action: 'redrive.cancel', target: id, result });
      return { kind: finished ? 'finished' : 'cancelling', job };
    });
  }

  private async createIn(tx: Queryable, request: RedriveRequest): Promise<CreateResult> {
    const inserted = await tx.query<{ id: string }>(
      `INSERT INTO redrive_jobs (id, requested_by, idempotency_key, request_digest, reason, selector, rate_per_second, state, selected)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 'planned', 0) ON CONFLICT (requested_by, idempotency_key) DO NOTHING RETURNING id`,
      [
        request.id,
        request.requestedBy,
        request.idempotencyKey,
        request.requestDigest,
        request.reason,
        JSON.stringify(request.selector),
        request.ratePerSecond,
      ],
    );
    if (inserted.length === 0) return this.earlier(tx, request);
    const selected = await this.freeze(tx, request);
    const [row] = await tx.query<JobRow>(
      `UPDATE redrive_jobs SET selected = $2 WHERE id = $1 RETURNING ${JOB_COLUMNS}`,
      [request.id, selected],
    );
    await new AuditLog(tx).append({
      actor: request.requestedBy,
      action: 'redrive.start',
      target: request.id,
      selector: request.selector,
      reason: request.reason,
      result: { selected, ratePerSecond: request.ratePerSecond },
    });
    return { kind: 'created', job: jobOf(row as JobRow) };
  }

  private async earlier(tx: Queryable, request: RedriveRequest): Promise<CreateResult> {
    const [row] = await tx.query<JobRow>(
      `SELECT ${JOB_COLUMNS} FROM redrive_jobs WHERE requested_by = $1 AND idempotency_key = $2`,
      [request.requestedBy, request.idempotencyKey],
    );
    return row?.request_digest === request.requestDigest
      ? { kind: 'replayed', job: jobOf(row) }
      : { kind: 'key-reused' };
  }

  private async freeze(tx: Queryable, request: RedriveRequest): Promise<number> {
    const { selector, maxItems, id } = request;
    const values: unknown[] = [id];
    let where: string;
    if ('ids' in selector) {
      values.push(selector.ids);
      where = 'id = ANY($2::text[])';
    } else {
      // What was redriven, or is being so, is selected only by name.
      where = whereOf({ state: 'dead', ...selector.filter }, values);
    }
    values.push(maxItems + 1);
    const rows = await tx.query<{ dead_letter_id: string }>(
      `INSERT INTO redrive_items (job_id, position, dead_letter_id)
       SELECT $1, row_number() OVER (ORDER BY failed_at, id), id FROM
         (SELECT id, failed_at FROM dead_letters WHERE ${where} LIMIT $${values.length}) AS chosen
       RETURNING ${'ids' in selector ? 'dead_letter_id' : "'' AS dead_letter_id"}`,
      values,
    );
    if (rows.length > maxItems) throw new Abandoned({ kind: 'too-many', maxItems });
    if ('ids' in selector) {
      const found = new Set(rows.map((r) => r.dead_letter_id));
      const unknown = selector.ids.filter((wanted) => !found.has(wanted));
      if (unknown.length > 0) throw new Abandoned({ kind: 'unknown-ids', ids: unknown });
    }
    if (rows.length === 0) throw new Abandoned({ kind: 'nothing-selected' });
    return rows.length;
  }
}
