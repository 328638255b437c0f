import { AuditLog } from '../audit-log.js';
import { DEAD_LETTER_COLUMNS, type DeadLetter } from '../dead-letters/dead-letter.js';
import type { Postgres } from '../postgres.js';
import { fieldsOf } from '../row-fields.js';
import {
  JOB_COLUMNS,
  jobOf,
  type ItemResult,
  type JobRow,
  type RedriveItem,
  type RedriveJob,
  type RedriveState,
} from './redrive-job.js';

const COLUMNS = DEAD_LETTER_COLUMNS.split(', ')
  .map((c) => `d.${c}`)
  .join(', ');

// An item stays pending until its result is stored, so a crash takes the same window again; the dead letter is then
// already this job's, and whatever was produced twice is sent once (claims).
const TAKE_SQL = `
WITH next AS (
  SELECT position, dead_letter_id FROM redrive_items WHERE job_id = $1 AND state = 'pending' ORDER BY position LIMIT $2
), claimed AS (
  UPDATE dead_letters SET state = 'redriving', redrive_job = $1
  WHERE id IN (SELECT dead_letter_id FROM next)
    AND (state IN ('dead', 'parked') OR (state = 'redriving' AND redrive_job = $1))
  RETURNING id
)
SELECT n.position, (c.id IS NOT NULL) AS claimed, ${COLUMNS}
FROM next n JOIN dead_letters d ON d.id = n.dead_letter_id LEFT JOIN claimed c ON c.id = n.dead_letter_id
ORDER BY n.position`;

// Only items that were still pending count, so that a repeated report changes nothing.
const SETTLE_SQL = `
WITH results AS (
  SELECT * FROM json_to_recordset($2::json) AS x(position integer, dead_letter_id text, state text, skip_reason text)
), settled AS (
  UPDATE redrive_items i SET state = r.state, skip_reason = r.skip_reason, settled_at = now()
  FROM results r WHERE i.job_id = $1 AND i.position = r.position AND i.state = 'pending'
  RETURNING r.dead_letter_id, r.state, r.skip_reason
), letters AS (
  UPDATE dead_letters d SET state = CASE WHEN s.state = 'produced' THEN 'redriven' ELSE s.skip_reason END,
    redriven_at = CASE WHEN s.state = 'produced' THEN now() END
  FROM settled s WHERE d.id = s.dead_letter_id AND d.redrive_job = $1 AND d.state = 'redriving'
    AND (s.state = 'produced' OR s.skip_reason IN ('expired', 'gone', 'unreadable'))
), counts AS (
  SELECT count(*) FILTER (WHERE state = 'produced') AS produced,
    count(*) FILTER (WHERE skip_reason = 'expired') AS expired, count(*) FILTER (WHERE skip_reason = 'gone') AS gone,
    count(*) FILTER (WHERE skip_reason = 'already_redriven') AS redriven,
    count(*) FILTER (WHERE skip_reason = 'unreadable') AS unreadable FROM settled
)
UPDATE redrive_jobs j SET produced = j.produced + c.produced, skipped_expired = j.skipped_expired + c.expired,
  skipped_gone = j.skipped_gone + c.gone, skipped_redriven = j.skipped_redriven + c.redriven,
  skipped_unreadable = j.skipped_unreadable + c.unreadable
FROM counts c WHERE j.id = $1`;

/**
 * Redrive jobs as the runner sees them. All progress lives in the database: a runner that starts again goes on where
 * the last report was stored. Called by the one runner that holds the advisory lock.
 */
export class RedriveProgress {
  constructor(private readonly postgres: Postgres) {}

  /** The oldest job that is not finished; it is `running` from now on unless someone cancelled it. */
  async next(): Promise<RedriveJob | undefined> {
    const rows = await this.postgres.query<JobRow>(
      `UPDATE redrive_jobs SET state = CASE state WHEN 'planned' THEN 'running' ELSE state END, started_at = coalesce(started_at, now())
       WHERE id = (SELECT id FROM redrive_jobs WHERE state IN ('planned', 'running', 'cancelling') ORDER BY created_at LIMIT 1)
       RETURNING ${JOB_COLUMNS}`,
    );
    return rows[0] && jobOf(rows[0]);
  }

  async stateOf(jobId: string): Promise<RedriveState | undefined> {
    const rows = await this.postgres.query<{ state: RedriveState }>(
      'SELECT state FROM redrive_jobs WHERE id = $1',
      [jobId],
    );
    return rows[0]?.state;
  }

  /** The next pending items, at most `size`; their dead letters are claimed for this job where they are free. */
  async take(jobId: string, size: number): Promise<RedriveItem[]> {
    const rows = await this.postgres.query<{ position: number; claimed: boolean } & Record<string, unknown>>(
      TAKE_SQL,
      [jobId, size],
    );
    return rows.map(({ position, claimed, ...letter }) => ({
      position,
      claimed,
      deadLetter: fieldsOf<DeadLetter>(letter),
    }));
  }

  /** Stores what became of items. Reporting the same twice counts once. */
  async settle(jobId: string, results: readonly ItemResult[]): Promise<void> {
    if (results.length === 0) return;
    const rows = results.map((r) => ({
      position: r.position,
      dead_letter_id: r.deadLetterId,
      state: r.kind,
      skip_reason: r.kind === 'skipped' ? r.reason : null,
    }));
    await this.postgres.query(SETTLE_SQL, [jobId, JSON.stringify(rows)]);
  }

  /** Ends a job, frees the dead letters it claimed and did not produce, and writes the result to the audit trail. */
  async finish(jobId: string, state: 'completed' | 'cancelled'): Promise<void> {
    await this.postgres.transaction(async (tx) => {
      await tx.query(
        `UPDATE dead_letters SET redrive_job = NULL,
           state = CASE WHEN topic LIKE 'parked.%' THEN 'parked' ELSE 'dead' END
         WHERE redrive_job = $1 AND state = 'redriving'`,
        [jobId],
      );
      const [row] = await tx.query<JobRow>(
        `UPDATE redrive_jobs SET state = $2, finished_at = now() WHERE id = $1 AND finished_at IS NULL RETURNING ${JOB_COLUMNS}`,
        [jobId, state],
      );
      if (!row) return;
      const result = { state, ...jobOf(row).counters };
      await new AuditLog(tx).append({ actor: 'system', action: 'redrive.finish', target: jobId, result });
    });
  }
}
