import type { DeadLetterFilter } from '../dead-letters/dead-letter-filter.js';
import type { DeadLetter } from '../dead-letters/dead-letter.js';

/** PLANNED → RUNNING → COMPLETED, or from either → CANCELLING → CANCELLED. */
export const REDRIVE_STATES = ['planned', 'running', 'cancelling', 'cancelled', 'completed'] as const;
export type RedriveState = (typeof REDRIVE_STATES)[number];

/** Why an item of a job was not produced. */
export const SKIP_REASONS = ['expired', 'gone', 'already_redriven', 'unreadable'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export type RedriveSelector = { readonly ids: readonly string[] } | { readonly filter: DeadLetterFilter };

/** A request for a job. */
export interface RedriveRequest {
  readonly id: string;
  /** Key id. */
  readonly requestedBy: string;
  readonly idempotencyKey: string;
  readonly requestDigest: string;
  readonly selector: RedriveSelector;
  readonly ratePerSecond: number;
  readonly reason: string;
  /** Most items of one job. */
  readonly maxItems: number;
}

export interface RedriveJob {
  readonly id: string;
  readonly requestedBy: string;
  readonly reason: string;
  readonly selector: RedriveSelector;
  readonly ratePerSecond: number;
  readonly state: RedriveState;
  readonly counters: {
    readonly selected: number;
    readonly produced: number;
    readonly skipped: Readonly<Record<SkipReason, number>>;
    readonly pending: number;
  };
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly finishedAt?: number;
}

export type CreateResult =
  | { kind: 'created'; job: RedriveJob }
  /** The same key and request before: the job of then. */
  | { kind: 'replayed'; job: RedriveJob }
  /** The same key with another request. */
  | { kind: 'key-reused' }
  | { kind: 'nothing-selected' }
  | { kind: 'unknown-ids'; ids: readonly string[] }
  | { kind: 'too-many'; maxItems: number };

export type CancelResult =
  { kind: 'cancelling'; job: RedriveJob } | { kind: 'finished'; job: RedriveJob } | { kind: 'unknown' };

/** One item of a job's next window, with whether the job now holds its dead letter. */
export interface RedriveItem {
  readonly position: number;
  readonly deadLetter: DeadLetter;
  readonly claimed: boolean;
}

/** What became of one item. */
export type ItemResult = { readonly position: number; readonly deadLetterId: string } & (
  { readonly kind: 'produced' } | { readonly kind: 'skipped'; readonly reason: SkipReason }
);

interface JobRow extends Record<string, unknown> {
  id: string;
  requested_by: string;
  request_digest: string;
  reason: string;
  selector: RedriveSelector;
  rate_per_second: number;
  state: RedriveState;
  selected: number;
  produced: number;
  skipped_expired: number;
  skipped_gone: number;
  skipped_redriven: number;
  skipped_unreadable: number;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
}

export const JOB_COLUMNS = `id, requested_by, request_digest, reason, selector, rate_per_second, state, selected, produced,
  skipped_expired, skipped_gone, skipped_redriven, skipped_unreadable, created_at, started_at, finished_at`;

export function jobOf(r: JobRow): RedriveJob {
  const skipped = {
    expired: r.skipped_expired,
    gone: r.skipped_gone,
    already_redriven: r.skipped_redriven,
    unreadable: r.skipped_unreadable,
  };
  const done = r.produced + skipped.expired + skipped.gone + skipped.already_redriven + skipped.unreadable;
  return {
    id: r.id,
    requestedBy: r.requested_by,
    reason: r.reason,
    selector: r.selector,
    ratePerSecond: r.rate_per_second,
    state: r.state,
    counters: { selected: r.selected, produced: r.produced, skipped, pending: r.selected - done },
    createdAt: r.created_at,
    ...(r.started_at === null ? {} : { startedAt: r.started_at }),
    ...(r.finished_at === null ? {} : { finishedAt: r.finished_at }),
  };
}
export type { JobRow };
