import type { Queryable } from './postgres.js';

/** One act of a person or of the platform. Carries ids and counts, never addresses or texts of messages. */
export interface AuditEntry {
  /** Key id of who did it; `system` for the platform itself. */
  readonly actor: string;
  /** For example `redrive.start`. */
  readonly action: string;
  /** Id of what it was done to. */
  readonly target?: string;
  readonly selector?: unknown;
  readonly reason?: string;
  readonly result?: unknown;
}

/** An entry as it was kept. */
export interface AuditRecord extends AuditEntry {
  readonly id: number;
  /** Epoch ms. */
  readonly at: number;
}

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/** The trail of who did what. Append-only: the database itself refuses to change or delete an entry. */
export class AuditLog {
  constructor(private readonly db: Queryable) {}

  async append(entry: AuditEntry): Promise<void> {
    await this.db.query(
      'INSERT INTO audit (actor, action, target, selector, reason, result) VALUES ($1, $2, $3, $4, $5, $6)',
      [
        entry.actor,
        entry.action,
        entry.target ?? null,
        json(entry.selector),
        entry.reason ?? null,
        json(entry.result),
      ],
    );
  }

  /** Entries about one target, newest first. */
  async of(target: string, limit = 100): Promise<AuditRecord[]> {
    return this.db.query<AuditRecord & Record<string, unknown>>(
      'SELECT id, at, actor, action, target, selector, reason, result FROM audit WHERE target = $1 ORDER BY id DESC LIMIT $2',
      [target, limit],
    );
  }
}
