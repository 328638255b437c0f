import { PRIORITIES, classesAbove, type Priority } from '@commservice/contracts';
import type { ByClass, LeaseAnswer, LeaseRequest } from '../coordinator/coordinator.js';
import { RuleBroken } from './scope-rule.js';
import { mostInASecond } from './sliding-second.js';

const PRESENCE_MS = 2000;
const EPSILON = 1e-6;
const close = (a: number, b: number): boolean => Math.abs(a - b) < 1e-3;

interface Mark {
  since: number | undefined;
  /** The next unit of the minimum share may fall due then. */
  nextDueMs: number;
}

/**
 * The coordinator as it is meant to be, kept simple: no grid, no shares; it remembers what was said and granted, and says which
 * rule an answer breaks. Times are the coordinator's own, but those of starts, which are the model's.
 */
export class ScopeRules {
  private run: string | undefined;
  private sequence = 0;
  private lostAll = false;
  private lastLeaseMs = -Infinity;
  private readonly owners = new Map<string, { pod: string; dueMs: number }>();
  private readonly holds = new Map<string, { priority: Priority; pod: string; untilMs: number }>();
  private readonly rates = new Map<string, { rate: number; seenAtMs: number }>();
  private readonly stock = new Map<string, number>();
  private readonly blocked: ByClass<Mark> = { P1: mark(), P2: mark(), P3: mark() };
  private p1: { atMs: number; units: number }[] = [];
  private starts: number[] = [];
  /** R that counted, and from when (model's time). */
  private readonly limits: { fromMs: number; rate: number; alone: boolean }[] = [];

  started(atMs: number): void {
    this.starts.push(atMs);
  }

  /** From `fromMs` on (model's time), R may be this much. */
  noteLimit(rate: number, fromMs: number, alone: boolean): void {
    this.limits.push({ fromMs, rate, alone });
  }

  checkStarts(nowMs: number): void {
    const { units, fromMs } = mostInASecond(this.starts);
    const limits = this.limits.filter(
      (l, i) => l.fromMs <= fromMs + 1000 && (this.limits[i + 1]?.fromMs ?? Infinity) >= fromMs - 250,
    );
    const rate = Math.max(...limits.map((l) => l.rate));
    const allowed = limits.some((l) => l.alone) ? 1.02 * rate + 1 : Math.floor(rate + EPSILON);
    if (units > allowed) throw new RuleBroken('at most R units in any second', { units, allowed, fromMs });
    this.starts = this.starts.filter((ms) => ms > nowMs - 1500);
  }

  forgot(): void {
    this.lostAll = true;
  }

  left(pod: string): void {
    for (const [key, o] of this.owners) if (o.pod === pod) this.owners.delete(key);
    for (const [key, h] of this.holds) if (h.pod === pod) this.holds.delete(key);
    this.rates.delete(pod);
    this.stock.delete(pod);
  }

  answered(r: LeaseRequest, a: LeaseAnswer): void {
    const now = a.nowMs;
    this.checkLife(r.seenSequence, a);
    for (const slot of r.released) {
      const key = `${a.run} ${r.grid} ${slot}`;
      if (this.owners.get(key)?.pod === r.pod) this.owners.delete(key);
    }
    this.noteRequest(r, now);
    this.checkRate(a);
    this.checkSlots(r, a);
    this.checkHolds(a);
    this.checkStock(r, a);
    for (const c of PRIORITIES) this.noteBlocked(c, r, now);
  }

  /** Compares with the slots that the coordinator has on its books for its present grid, those past not counted. */
  checkBooks(books: {
    readonly run: string;
    readonly grid: number;
    readonly slots: readonly number[];
  }): void {
    const known = [...this.owners.keys()].flatMap((key) => {
      const [run, grid, slot] = key.split(' ');
      const fromSlot = books.slots[0] ?? Infinity;
      return run === books.run && Number(grid) === books.grid && Number(slot) >= fromSlot
        ? [Number(slot)]
        : [];
    });
    known.sort((x, y) => x - y);
    if (known.join() !== books.slots.join()) throw new RuleBroken('the books agree', { known, books });
  }

  /** It is lost with the memory, when the clock went back, and when a pod has seen a later one (a lagging replica). */
  private checkLife(seenSequence: number, a: LeaseAnswer): void {
    const lost =
      this.run === undefined ||
      this.lostAll ||
      a.nowMs < this.lastLeaseMs - 1 ||
      seenSequence > this.sequence;
    if (!lost && a.run !== this.run) throw new RuleBroken('a state lives until it is lost', a);
    if (lost) {
      for (const kept of [this.holds, this.rates, this.stock]) kept.clear();
      for (const c of PRIORITIES) Object.assign(this.blocked[c], mark());
      this.p1 = [];
    }
    Object.assign(this, { run: a.run, sequence: a.sequence, lostAll: false, lastLeaseMs: a.nowMs });
  }

  private noteRequest(r: LeaseRequest, now: number): void {
    for (const [pod, k] of this.rates) if (k.seenAtMs < now - PRESENCE_MS) this.left(pod);
    this.rates.set(r.pod, { rate: r.ratePerSecond, seenAtMs: now });
    for (const priority of r.pressing) {
      const key = `${priority} ${r.pod}`;
      const untilMs = Math.max(this.holds.get(key)?.untilMs ?? 0, now + r.pressForMs);
      this.holds.set(key, { priority, pod: r.pod, untilMs });
    }
    for (const [key, h] of this.holds) if (h.untilMs <= now) this.holds.delete(key);
    this.p1.push({ atMs: now, units: r.p1Started });
  }

  private checkRate(a: LeaseAnswer): void {
    const least = Math.min(...[...this.rates.values()].map((k) => k.rate));
    if (a.ratePerSecond !== least || a.pods !== this.rates.size)
      throw new RuleBroken('the smallest live R counts', [a.ratePerSecond, least, a.pods, this.rates.size]);
  }

  private checkHolds(a: LeaseAnswer): void {
    const text = (h: { priority: string; pod: string }): string => `${h.priority} ${h.pod}`;
    const sorted = (holds: Iterable<LeaseAnswer['holds'][number]>) =>
      [...holds].sort((x, y) => (text(x) < text(y) ? -1 : 1));
    const [theirs, ours] = [sorted(a.holds), sorted(this.holds.values())];
    const same = ours.every((h, i) => {
      const t = theirs[i];
      return t !== undefined && text(t) === text(h) && close(t.untilMs, h.untilMs);
    });
    if (!same || theirs.length !== ours.length)
      throw new RuleBroken('holds are counted and only extended', { theirs, ours });
  }

  private isBlocked(c: Priority, mode: string): boolean {
    return mode !== 'noop' && [...this.holds.values()].some((h) => classesAbove(c).includes(h.priority));
  }

  private checkSlots(r: LeaseRequest, a: LeaseAnswer): void {
    for (const s of a.slots) {
      const key = `${a.run} ${a.grid} ${s.slot}`;
      const owner = this.owners.get(key);
      if (owner) throw new RuleBroken('a slot has one owner', { key, owner, pod: r.pod });
      this.owners.set(key, { pod: r.pod, dueMs: s.dueMs });
      if (s.dueMs < a.nowMs - 1e-3 || s.dueMs > a.nowMs + r.horizonMs + 1e-3)
        throw new RuleBroken('departures lie within the horizon', s);
      const blocked = this.isBlocked(s.priority, r.mode);
      if (blocked && !s.minimumShare) throw new RuleBroken('nothing ordinary for a blocked class', s);
      if (s.minimumShare) this.checkMinimum(s.priority, s.dueMs, blocked, r, a);
    }
    for (const [key, o] of this.owners) if (o.dueMs < a.nowMs - 60_000) this.owners.delete(key);
  }

  private checkMinimum(c: Priority, dueMs: number, blocked: boolean, r: LeaseRequest, a: LeaseAnswer): void {
    const { since, nextDueMs } = this.blocked[c];
    // whatever of the second in which the 10 s began counts: 9 s lie within them
    const p1 = this.p1.filter((e) => e.atMs > a.nowMs - 9_000).reduce((sum, e) => sum + e.units, 0);
    const long = since !== undefined && a.nowMs - since > r.maxBlockMs;
    if (!blocked || !long || dueMs < nextDueMs - 1e-3 || p1 >= 0.8 * a.ratePerSecond * 10)
      throw new RuleBroken('the minimum share by its rule only', { c, blocked, since, dueMs, nextDueMs, p1 });
    this.blocked[c].nextDueMs = dueMs + 50_000 / a.ratePerSecond;
  }

  private checkStock(r: LeaseRequest, a: LeaseAnswer): void {
    const others = [...this.stock].reduce((sum, [pod, units]) => sum + (pod === r.pod ? 0 : units), 0);
    const bound = Math.max(0, Math.floor(a.ratePerSecond * 0.02 + EPSILON) - others);
    if (a.stockAllowed > bound || (!r.wantsStock && a.stockAllowed > 0))
      throw new RuleBroken('the standing stock has a bound', { allowed: a.stockAllowed, others, bound });
    this.stock.set(r.pod, a.stockAllowed);
  }

  private noteBlocked(c: Priority, r: LeaseRequest, now: number): void {
    if (this.isBlocked(c, r.mode)) this.blocked[c].since ??= now;
    else if (r.demand[c] > 0) this.blocked[c].since = undefined;
  }
}

const mark = (): Mark => ({ since: undefined, nextDueMs: -Infinity });
