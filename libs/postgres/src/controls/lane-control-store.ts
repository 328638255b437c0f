import { AuditLog } from '../audit-log.js';
import type { Postgres, Queryable } from '../postgres.js';

/** `lane-pause`: the lane sends nothing; its value is `paused`. `scope-mode`: the mutex mode of a scope; the value is the mode. */
export type LaneControlKind = 'lane-pause' | 'scope-mode';

/** One order of an operator that holds now. */
export interface LaneControl {
  readonly kind: LaneControlKind;
  /** The lane (`sms:P3`) or the scope (`sms-a`). */
  readonly name: string;
  readonly value: string;
  readonly reason: string;
  /** Key id of who ordered it. */
  readonly actor: string;
  /** Since when it holds, epoch ms. */
  readonly at: number;
}

/** One act of an operator on a control. */
export interface ControlOrder {
  readonly kind: LaneControlKind;
  readonly name: string;
  readonly reason: string;
  readonly actor: string;
  /** For the audit trail, for example `lane.pause`. */
  readonly action: string;
}

export interface ControlSet {
  /** What holds now: the earlier order where it had the same value. */
  readonly control: LaneControl;
  readonly changed: boolean;
}

export interface ControlCleared {
  /** What held until now; undefined when nothing did. */
  readonly was: LaneControl | undefined;
  /** Epoch ms. */
  readonly at: number;
}

type Row = LaneControl & Record<string, unknown>;

const COLUMNS = 'kind, name, value, reason, actor, at';

/**
 * Orders of operators to lanes and scopes. Invariants: one control a kind and name; an order and its entry in the audit
 * trail are stored together or not at all; the same order again changes nothing but is audited. Rejects when the server is
 * unavailable. Callers: every dispatcher.
 */
export class LaneControlStore {
  constructor(private readonly postgres: Pick<Postgres, 'query' | 'transaction'>) {}

  /** Everything that holds now, by kind and name. */
  all(): Promise<LaneControl[]> {
    return this.postgres.query<Row>(`SELECT ${COLUMNS} FROM lane_controls ORDER BY kind, name`);
  }

  /** Makes `value` hold. Where it holds already, the order that made it so stays: since, by whom and why. */
  set(order: ControlOrder & { readonly value: string }): Promise<ControlSet> {
    return this.postgres.transaction(async (tx) => {
      const [made] = await tx.query<Row>(
        `INSERT INTO lane_controls (kind, name, value, reason, actor) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (kind, name) DO UPDATE
           SET value = excluded.value, reason = excluded.reason, actor = excluded.actor, at = excluded.at
           WHERE lane_controls.value <> excluded.value
         RETURNING ${COLUMNS}`,
        [order.kind, order.name, order.value, order.reason, order.actor],
      );
      // the conflict has locked the row: it is still there
      const control = made ?? ((await held(tx, order)) as LaneControl);
      const changed = made !== undefined;
      await audit(tx, order, { value: order.value, changed });
      return { control, changed };
    });
  }

  /** Ends the control, whatever its value. */
  clear(order: ControlOrder): Promise<ControlCleared> {
    return this.postgres.transaction(async (tx) => {
      const [was] = await tx.query<Row>(
        `DELETE FROM lane_controls WHERE kind = $1 AND name = $2 RETURNING ${COLUMNS}`,
        [order.kind, order.name],
      );
      const [clock] = await tx.query<{ at: number }>('SELECT now() AS at');
      await audit(tx, order, { changed: was !== undefined, ...(was ? { was: was.value } : {}) });
      return { was, at: (clock as { at: number }).at };
    });
  }
}

async function held(tx: Queryable, { kind, name }: ControlOrder): Promise<LaneControl | undefined> {
  const rows = await tx.query<Row>(`SELECT ${COLUMNS} FROM lane_controls WHERE kind = $1 AND name = $2`, [
    kind,
    name,
  ]);
  return rows[0];
}

const audit = (tx: Queryable, { actor, action, name, reason }: ControlOrder, result: object): Promise<void> =>
  new AuditLog(tx).append({ actor, action, target: name, reason, result });
