import type { Priority } from '@commservice/contracts';
import { classIndex } from '../coordinator/scope-state.js';
import type { GrantedSlot } from '../coordinator/coordinator.js';
import { StandingStock } from './standing-stock.js';

/** One unit of permission: a departure at a time, or a standing P1 token. */
export interface Unit extends GrantedSlot {
  readonly kind: 'departure' | 'stock';
  readonly grid: number;
}

const STOCK_UNIT: Unit = {
  kind: 'stock',
  grid: 0,
  slot: -1,
  dueMs: -Infinity,
  priority: 'P1',
  minimumShare: false,
};

/**
 * The tokens of one pod and scope. Each departure is PENDING → READY at its due time → used, or LAPSED when nobody took it
 * within `lapseMs`; before that it may go back to the coordinator (released). A due departure fills the standing stock
 * first. READY ones stay beyond `lapseMs` only while a send of several units gathers them.
 * Invariants: every unit added ends used, lapsed, released, dropped or still held; nothing is handed out before it is due. All times are monotonic ms of this process. Caller: ScopeMutex.
 */
export class Departures {
  readonly standing = new StandingStock();
  private pending: Unit[] = [];
  private readonly ready: Unit[] = [];
  /** Departures through a closed gate, by class. */
  private readonly minimum: [Unit[], Unit[], Unit[]] = [[], [], []];
  /** Units that nobody used in time, since start. */
  lapsed = 0;

  constructor(private readonly lapseMs: number) {}

  get readyUnits(): number {
    return this.ready.length;
  }

  get pendingUnits(): number {
    return this.pending.length;
  }

  /** Ordinary departures, due or not. */
  get heldUnits(): number {
    return this.pending.length + this.ready.length;
  }

  /** Departures granted for a class, due or not. */
  heldFor(priority: Priority): number {
    const count = (list: readonly Unit[]): number => list.filter((u) => u.priority === priority).length;
    return count(this.pending) + count(this.ready) + count(this.minimum[classIndex(priority)]);
  }

  minimumUnits(c: 0 | 1 | 2): number {
    return this.minimum[c].length;
  }

  add(slots: readonly GrantedSlot[], grid: number): void {
    if (slots.length === 0) return;
    this.pending.push(...slots.map((s): Unit => ({ ...s, kind: 'departure', grid })));
    this.pending.sort((a, b) => a.dueMs - b.dueMs);
  }

  private noteLate(taken: readonly Unit[], nowMs: number): void {
    const late = taken.filter((u) => nowMs - u.dueMs > this.lapseMs / 4).length;
    this.standing.noteLate(late, nowMs);
  }

  /** Drops all departures: another authority grants now. */
  dropDepartures(): void {
    this.pending = [];
    this.ready.length = 0;
    for (const list of this.minimum) list.length = 0;
  }

  /**
   * Moves time on.
   * @param refill whether due departures fill the standing stock first, or belong to a send that waits
   * @param gather units of the largest send that gathers ready departures now
   * @param gatherMinimum the same for each class behind a closed gate
   * @returns units that lapsed
   */
  advance(nowMs: number, refill: boolean, gather: number, gatherMinimum: readonly number[]): number {
    let due = 0;
    while (due < this.pending.length && (this.pending[due] as Unit).dueMs <= nowMs) {
      const unit = this.pending[due++] as Unit;
      if (unit.minimumShare) this.minimum[classIndex(unit.priority)].push(unit);
      else if (!refill || this.standing.fill(1) > 0) this.ready.push(unit);
    }
    if (due > 0) this.pending.splice(0, due);
    // what fell due while nobody looked fills the standing stock, as it would have at its time
    let lapsed = this.standing.fill(this.lapse(this.ready, nowMs, gather));
    for (const c of [1, 2] as const) lapsed += this.lapse(this.minimum[c], nowMs, gatherMinimum[c] ?? 0);
    this.lapsed += lapsed;
    return lapsed;
  }

  /** A unit that a send gathers lapses with the last of its set, not before. */
  private lapse(list: Unit[], nowMs: number, gather: number): number {
    const ahead = Math.max(0, gather - 1);
    let n = 0;
    while (n + ahead < list.length && nowMs - (list[n + ahead] as Unit).dueMs > this.lapseMs) n++;
    if (n > 0) list.splice(0, n);
    return n;
  }

  /** Ready units first, then standing ones. The caller checked that there are enough. */
  takeP1(units: number, nowMs: number): Unit[] {
    const taken = this.ready.splice(0, units);
    this.noteLate(taken, nowMs);
    while (taken.length < units && this.standing.take()) taken.push(STOCK_UNIT);
    return taken;
  }

  /** The earliest ready units that are `eligible`; the caller checked that there are enough. */
  takeReady(units: number, nowMs: number, eligible: (unit: Unit) => boolean = () => true): Unit[] {
    const taken: Unit[] = [];
    for (let i = 0; i < this.ready.length && taken.length < units;) {
      if (eligible(this.ready[i] as Unit)) taken.push(...this.ready.splice(i, 1));
      else i++;
    }
    this.noteLate(taken, nowMs);
    return taken;
  }

  readyFor(eligible: (unit: Unit) => boolean): number {
    return this.ready.filter(eligible).length;
  }

  takeMinimum(c: 0 | 1 | 2, units: number): Unit[] {
    return this.minimum[c].splice(0, units);
  }

  /** Takes unused units back; those that are late by now lapse. */
  putBack(units: readonly Unit[], nowMs: number): void {
    for (const unit of units) {
      if (unit.kind === 'stock') this.standing.fill(1);
      else if (nowMs - unit.dueMs > this.lapseMs) this.lapsed++;
      else if (unit.minimumShare) this.minimum[classIndex(unit.priority)].unshift(unit);
      else this.ready.unshift(unit);
    }
    this.ready.sort((a, b) => a.dueMs - b.dueMs);
  }

  /** Due time of the `n`-th pending departure, 1 = next; undefined when there are fewer. */
  dueOfNth(n: number): number | undefined {
    return this.pending[n - 1]?.dueMs;
  }

  /** Pending units due before `untilMs`, and the due time of the last pending one. */
  dueBefore(untilMs: number): number {
    const i = this.pending.findIndex((u) => u.dueMs > untilMs);
    return i < 0 ? this.pending.length : i;
  }

  /** Due time of the next departure that passes the closed gate for class `c`. */
  nextMinimumDue(c: 0 | 1 | 2): number | undefined {
    return this.pending.find((u) => u.minimumShare && classIndex(u.priority) === c)?.dueMs;
  }

  /** Takes all but the `keep` earliest ordinary departures of `grid` due after `fromMs` out, for others to use. */
  surplus(keep: number, grid: number, fromMs: number): number[] {
    const slots: number[] = [];
    let kept = 0;
    this.pending = this.pending.filter((u) => {
      if (u.minimumShare || u.grid !== grid || u.dueMs <= fromMs || kept++ < keep) return true;
      slots.push(u.slot);
      return false;
    });
    return slots;
  }
}
