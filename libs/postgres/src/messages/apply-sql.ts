import { STATUS_RANK, type MessageEvent } from '@commservice/contracts';
import { jsonText } from '../json-text.js';
import { eventKey } from './event-order.js';
import type { MessageRow } from './message-row.js';

const WINS = `(excluded.status_order, excluded.status COLLATE "C", coalesce(excluded.code, '') COLLATE "C", coalesce(excluded.reason, '') COLLATE "C")
      > (m.status_order, m.status COLLATE "C", coalesce(m.code, '') COLLATE "C", coalesce(m.reason, '') COLLATE "C")`;
const ROUTES = `excluded.route_order IS NOT NULL AND (m.route_order IS NULL OR
      (excluded.route_order, excluded.account COLLATE "C", coalesce(excluded.provider_id, '') COLLATE "C")
      > (m.route_order, m.account COLLATE "C", coalesce(m.provider_id, '') COLLATE "C"))`;
const ATTEMPTS = `CASE WHEN excluded.generation > m.generation THEN excluded.attempt
      WHEN excluded.generation < m.generation THEN m.attempt ELSE greatest(m.attempt, excluded.attempt) END`;
const IDENTITY = [
  'kind',
  'team',
  'channel',
  'brand',
  'category',
  'reference',
  'trace_id',
  'campaign',
  'units',
  'accepted_at',
  'expires_at',
  'metadata',
];

const pick = (condition: string, columns: readonly string[]): string =>
  columns.map((c) => `${c} = CASE WHEN ${condition} THEN excluded.${c} ELSE m.${c} END`).join(',\n    ');

/**
 * One statement for a whole batch: appends the events that are not there yet and merges the folded rows, as `mergeRows`.
 * $1 = rows, $2 = events, both JSON. Returns the messages whose status moved. A row that would stay the same is not
 * written. `new`/`old` in RETURNING need PostgreSQL 18.
 */
export const APPLY_SQL = `
WITH appended AS (
  INSERT INTO message_events AS e (message_id, event_key, status, at, generation, attempt, account, provider_id, code, reason)
  SELECT * FROM json_to_recordset($2::json) AS x(message_id uuid, event_key uuid, status text, at timestamptz,
    generation integer, attempt integer, account text, provider_id text, code text, reason text)
  ON CONFLICT DO NOTHING
)
INSERT INTO messages AS m (id, generation, status, status_rank, status_order, status_at, route_order, priority,
  ${IDENTITY.join(', ')}, attempt, account, provider_id, receipt_expected, code, reason)
SELECT * FROM json_to_recordset($1::json) AS x(id uuid, generation integer, status text, status_rank smallint,
  status_order bigint, status_at timestamptz, route_order bigint, priority text, kind text, team text, channel text,
  brand text, category text, reference text, trace_id text, campaign text, units integer, accepted_at timestamptz,
  expires_at timestamptz, metadata jsonb, attempt integer, account text, provider_id text, receipt_expected boolean,
  code text, reason text)
ORDER BY id
ON CONFLICT (id) DO UPDATE SET
    generation = greatest(m.generation, excluded.generation),
    ${pick(WINS, ['status', 'status_rank', 'status_order', 'status_at', 'code', 'reason'])},
    ${pick(ROUTES, ['route_order', 'account', 'provider_id', 'receipt_expected'])},
    attempt = ${ATTEMPTS},
    ${IDENTITY.map((c) => `${c} = coalesce(m.${c}, excluded.${c})`).join(',\n    ')},
    updated_at = now()
  WHERE ${WINS}
    OR (${ROUTES})
    OR (${ATTEMPTS}) IS DISTINCT FROM m.attempt
    OR (m.team IS NULL AND excluded.team IS NOT NULL)
    OR (m.trace_id IS NULL AND excluded.trace_id IS NOT NULL)
RETURNING new.id, new.team, new.priority, new.status, new.generation, new.status_at,
  (old.status IS DISTINCT FROM new.status OR old.generation IS DISTINCT FROM new.generation) AS moved`;

const time = (epochMs: number | undefined): string | undefined =>
  epochMs === undefined ? undefined : new Date(Math.round(epochMs)).toISOString();

function rowJson(row: MessageRow): object {
  const { identity: i, status: s, route: r } = row;
  return {
    id: row.id,
    generation: row.generation,
    status: s.status,
    status_rank: STATUS_RANK[s.status],
    status_order: s.order,
    status_at: time(s.at),
    route_order: r?.order,
    priority: row.priority,
    ...{
      kind: i.kind,
      team: i.team,
      channel: i.channel,
      brand: i.brand,
      category: i.category,
      reference: i.reference,
    },
    ...{ trace_id: i.traceId, campaign: i.campaign, units: i.units, metadata: i.metadata },
    accepted_at: time(i.acceptedAt),
    expires_at: time(i.expiresAt),
    attempt: row.attempt,
    ...{ account: r?.account, provider_id: r?.providerId, receipt_expected: r?.receiptExpected },
    ...{ code: s.code, reason: s.reason },
  };
}

function eventJson(e: MessageEvent): object {
  return {
    message_id: e.id,
    event_key: eventKey(e),
    status: e.status,
    at: time(e.at),
    generation: e.generation,
    ...{ attempt: e.attempt, account: e.account, provider_id: e.providerId, code: e.code, reason: e.reason },
  };
}

/** The two parameters of `APPLY_SQL`. */
export function applyValues(rows: readonly MessageRow[], events: readonly MessageEvent[]): [string, string] {
  return [jsonText(rows.map(rowJson)), jsonText(events.map(eventJson))];
}
