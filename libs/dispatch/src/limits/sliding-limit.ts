/** One charge against a limit. PENDING from `reserve` on → STARTED, PENDING again when its send did not count → gone. */
export interface Charge {
  readonly units: number;
  /** Rank of its class, 0 = most urgent: what is pending keeps no more urgent class waiting. */
  readonly rank: Rank;
  /** Units of a window when it was reserved. */
  readonly capacity: number;
  /** When its send started, monotonic ms; undefined while pending. */
  startedAtMs: number | undefined;
  /** How long it counts from then, ms. */
  spanMs: number;
}

export type Rank = 0 | 1 | 2;

/** How long what waits for pending charges waits before it is looked at again, ms: nobody knows when those start. */
const PENDING_RECHECK_MS = 100;
const EPSILON = 1e-9;

/**
 * A limit over a sliding window. Pure but for the time it is given.
 * Invariants: the units started in any window are at most `capacity`, one send of more units excepted, which waits until the
 * window is empty and then counts for as much longer; the same for a capacity below one unit. What is pending counts for its
 * own and less urgent classes, so that no more is reserved than may start soon; `mayStart` decides at the start.
 * Caller: AccountLimits.
 */
export class SlidingLimit {
  private started: Charge[] = [];
  private startedUnits = 0;
  private readonly pending: [number, number, number] = [0, 0, 0];

  constructor(private readonly windowMs: number) {}

  /** Whether nothing counts any more. */
  isIdle(nowMs: number): boolean {
    this.expire(nowMs);
    return this.started.length === 0 && this.pendingFor(2) === 0;
  }

  /** 0 = a send of `units` may be reserved now; else how long until it may, ms, at least 1. */
  waitMs(units: number, rank: Rank, capacity: number, nowMs: number): number {
    this.expire(nowMs);
    let counted = this.startedUnits + this.pendingFor(rank);
    const fits = (): boolean => counted <= EPSILON || counted + units <= capacity + EPSILON;
    if (fits()) return 0;
    let endsAtMs = nowMs;
    for (const charge of this.started) {
      endsAtMs = Math.max(endsAtMs, endOf(charge));
      counted -= charge.units;
      if (fits()) return Math.max(1, endsAtMs - nowMs);
    }
    return PENDING_RECHECK_MS;
  }

  /** Counts a send that is to start later. Not refused: ask `waitMs` first, unless it may go over the limit. */
  reserve(units: number, rank: Rank, capacity: number): Charge {
    this.pending[rank] += units;
    return {
      units,
      rank,
      capacity,
      startedAtMs: undefined,
      spanMs: this.windowMs * Math.max(1, units / capacity),
    };
  }

  /** Whether a pending charge may start now: a more urgent one may have started before it. */
  mayStart({ units, capacity }: Charge, nowMs: number): boolean {
    this.expire(nowMs);
    return this.startedUnits <= EPSILON || this.startedUnits + units <= capacity + EPSILON;
  }

  /** The send of a pending charge starts. */
  start(charge: Charge, nowMs: number): void {
    if (charge.startedAtMs !== undefined) return;
    charge.startedAtMs = nowMs;
    this.pending[charge.rank] -= charge.units;
    this.startedUnits += charge.units;
    this.started.push(charge);
  }

  /** A send that started did not count, and is to start again. */
  restart(charge: Charge): void {
    if (charge.startedAtMs === undefined) return;
    const at = this.started.indexOf(charge);
    if (at >= 0) {
      this.started.splice(at, 1);
      this.startedUnits -= charge.units;
    }
    charge.startedAtMs = undefined;
    this.pending[charge.rank] += charge.units;
  }

  /** A pending send will not start. One that started counts on. */
  cancel(charge: Charge): void {
    if (charge.startedAtMs === undefined) this.pending[charge.rank] -= charge.units;
  }

  private pendingFor(rank: Rank): number {
    return this.pending[0] + (rank > 0 ? this.pending[1] : 0) + (rank > 1 ? this.pending[2] : 0);
  }

  private expire(nowMs: number): void {
    let over = 0;
    while (over < this.started.length && endOf(this.started[over] as Charge) <= nowMs)
      this.startedUnits -= (this.started[over++] as Charge).units;
    if (over > 0) this.started.splice(0, over);
  }
}

const endOf = (charge: Charge): number => (charge.startedAtMs ?? Infinity) + charge.spanMs;
