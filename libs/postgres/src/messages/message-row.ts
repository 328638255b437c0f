import type { MessageEvent } from '@commservice/contracts';
import { routeOrder, statusOrder } from './event-order.js';

/** The part of a message that its events agree on. */
type Identity = Pick<
  MessageEvent,
  | 'team'
  | 'channel'
  | 'brand'
  | 'category'
  | 'reference'
  | 'traceId'
  | 'campaign'
  | 'kind'
  | 'units'
  | 'acceptedAt'
  | 'expiresAt'
  | 'metadata'
>;
type StatusPart = Pick<MessageEvent, 'status' | 'at' | 'code' | 'reason'> & { readonly order: bigint };
type RoutePart = Pick<MessageEvent, 'account' | 'providerId' | 'receiptExpected'> & {
  readonly order: bigint;
};

/**
 * What some events say about one message. `mergeRows` is commutative, associative and idempotent (a property test), and
 * `apply-sql.ts` says the same in SQL: so batches may come split, doubled and in any order.
 */
export interface MessageRow {
  readonly id: string;
  readonly priority: MessageEvent['priority'];
  readonly generation: number;
  readonly identity: Identity;
  readonly status: StatusPart;
  readonly route: RoutePart | undefined;
  /** Most attempts seen in `generation`. */
  readonly attempt: number | undefined;
}

/** The row of a single event. */
export function rowOf(e: MessageEvent): MessageRow {
  const { team, channel, brand, category, reference, traceId, campaign, kind } = e;
  const { units, acceptedAt, expiresAt, metadata } = e;
  return {
    id: e.id,
    priority: e.priority,
    generation: e.generation,
    identity: {
      team,
      channel,
      brand,
      category,
      reference,
      traceId,
      campaign,
      kind,
      units,
      acceptedAt,
      expiresAt,
      metadata,
    },
    status: { status: e.status, at: e.at, code: e.code, reason: e.reason, order: statusOrder(e) },
    route:
      e.account === undefined
        ? undefined
        : {
            account: e.account,
            providerId: e.providerId,
            receiptExpected: e.receiptExpected,
            order: routeOrder(e),
          },
    attempt: e.attempt,
  };
}

const byteOrder = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Ties of one position are broken by the values themselves, as bytes: the same in every process and in PostgreSQL. */
function compareStatus(a: StatusPart, b: StatusPart): number {
  if (a.order !== b.order) return a.order < b.order ? -1 : 1;
  return (
    byteOrder(a.status, b.status) ||
    byteOrder(a.code ?? '', b.code ?? '') ||
    byteOrder(a.reason ?? '', b.reason ?? '')
  );
}

function laterRoute(a: RoutePart | undefined, b: RoutePart | undefined): RoutePart | undefined {
  if (!a || !b) return a ?? b;
  if (a.order !== b.order) return a.order > b.order ? a : b;
  const tie =
    byteOrder(a.account ?? '', b.account ?? '') || byteOrder(a.providerId ?? '', b.providerId ?? '');
  return tie >= 0 ? a : b;
}

function filled(a: Identity, b: Identity): Identity {
  const out: Record<string, unknown> = { ...b };
  for (const [name, value] of Object.entries(a)) if (value !== undefined) out[name] = value;
  return out;
}

function mostAttempts(a: MessageRow, b: MessageRow): number | undefined {
  if (a.generation !== b.generation) return (a.generation > b.generation ? a : b).attempt;
  if (a.attempt === undefined || b.attempt === undefined) return a.attempt ?? b.attempt;
  return Math.max(a.attempt, b.attempt);
}

/** Joins what two sets of events say about the same message. */
export function mergeRows(a: MessageRow, b: MessageRow): MessageRow {
  return {
    id: a.id,
    priority: a.priority,
    generation: Math.max(a.generation, b.generation),
    identity: filled(a.identity, b.identity),
    status: compareStatus(a.status, b.status) >= 0 ? a.status : b.status,
    route: laterRoute(a.route, b.route),
    attempt: mostAttempts(a, b),
  };
}

/** One row a message, ordered by id so that concurrent writers lock rows in the same order. */
export function foldEvents(events: readonly MessageEvent[]): MessageRow[] {
  const rows = new Map<string, MessageRow>();
  for (const event of events) {
    const row = rowOf(event);
    const known = rows.get(event.id);
    rows.set(event.id, known ? mergeRows(known, row) : row);
  }
  return [...rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
