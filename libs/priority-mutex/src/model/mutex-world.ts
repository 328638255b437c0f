import { PRIORITIES, classesAbove, type MutexMode, type Priority } from '@commservice/contracts';
import { patienceMs } from '../gate/press.js';
import type { ScopeMutex } from '../scope-mutex.js';
import type { ScopeParts } from '../scope-parts.js';
import type { Unit } from '../tokens/departures.js';
import { Fleet } from './fleet.js';
import { leaseRequest } from './lease-requests.js';
import { mostInASecond } from './sliding-second.js';
import { UnitLedger } from './unit-ledger.js';

/** A rule of a pod that did not hold. */
export class PodRuleBroken extends Error {
  constructor(
    readonly rule: PodRule,
    detail: unknown,
  ) {
    super(`${rule}: ${JSON.stringify(detail)}`);
  }
}

export type PodRule =
  | 'no wake-up is lost'
  | 'units are conserved'
  | 'nothing lower starts while a higher class holds'
  | 'at most 1.02 R + 1 units in any second'
  | 'a blind pod spends its share'
  | 'everything is sent';

interface Told {
  readonly priority: Priority;
  readonly fromMs: number;
  readonly untilMs: number;
}

const R = 200;
const OWNED = 0.5;

/**
 * One mutex on virtual time, with half of the partitions, and a stranger that presses and asks at the same coordinator.
 * What the pod was told of holds is written down apart from it, and every start is held against that.
 */
export class MutexWorld {
  readonly fleet: Fleet;
  private parts!: ScopeParts;
  private ledger!: UnitLedger;
  private readonly told: Told[] = [];
  private readonly lowerStarts: { priority: Priority; atMs: number; blockedBy: unknown }[] = [];
  private aloneSinceMs: number | undefined;
  private frozenUntilMs = -Infinity;

  constructor(tamper: (mutex: ScopeMutex) => void = () => undefined) {
    const mutex = (m: ScopeMutex): void => {
      this.parts = (m as unknown as { parts: ScopeParts }).parts;
      tamper(m);
      this.ledger = new UnitLedger(this.parts.departures);
      this.watchHolds();
      this.watchTakes();
    };
    this.fleet = new Fleet({ ratePerSecond: R, pods: 1, doubles: { mutex } });
    for (const p of PRIORITIES) this.fleet.lane(0, p).owned = OWNED;
  }

  get nowMs(): number {
    return this.fleet.time.monotonic();
  }

  get mutex(): ScopeMutex {
    return this.fleet.mutexes[0] as ScopeMutex;
  }

  async advance(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 10) {
      await this.fleet.time.run(Math.min(10, left));
      this.check();
    }
  }

  freeze(ms: number): void {
    this.frozenUntilMs = Math.max(this.frozenUntilMs, this.nowMs + ms);
    this.fleet.freeze(0, this.frozenUntilMs - this.nowMs);
  }

  setMode(mode: MutexMode): void {
    this.mutex.setMode(mode);
  }

  pressAccount(priority: Priority, ms: number): void {
    const { nowMs } = this;
    this.fleet.lane(0, priority).joined.pressAccount('throttled', nowMs + ms);
    this.told.push({ priority, fromMs: nowMs, untilMs: nowMs + ms });
  }

  /** Another pod leases, and presses `pressing`. */
  async stranger(pressing: readonly Priority[], p3: number): Promise<void> {
    const demand = { P1: 0, P2: 0, P3: p3 };
    const ownership = { P1: OWNED, P2: OWNED, P3: OWNED };
    const request = leaseRequest({ pod: 'stranger', pressing, demand, ownership, seenSequence: this.seen });
    const result = await this.fleet.coordinator.lease(request, 0);
    if (result.kind === 'answer') this.seen = result.answer.sequence;
  }
  private seen = 0;

  /** Rejects when something that waits is not sent in the end. */
  async drain(): Promise<void> {
    const [wire] = this.fleet.wires;
    Object.assign(wire ?? {}, { cut: false, deaf: false, answerLateMs: 0, edgesLost: false });
    const left = (): number => PRIORITIES.reduce((sum, p) => sum + this.fleet.lane(0, p).queue.length, 0);
    for (let before = Infinity; left() > 0;) {
      if (left() === before) throw new PodRuleBroken('everything is sent', { left: before });
      before = left();
      await this.advance(3000);
    }
  }

  /** All rules, at a moment at which everything due has run. */
  check(): void {
    const { nowMs, parts } = this;
    if (this.ledger.faults.length > 0) throw new PodRuleBroken('units are conserved', this.ledger.faults);
    const blocked = this.lowerStarts.find((s) => s.blockedBy !== undefined);
    if (blocked) throw new PodRuleBroken('nothing lower starts while a higher class holds', blocked);
    const recent = this.fleet.starts.filter((s) => s.atMs > nowMs - 1100);
    const times = (list: typeof recent): number[] => list.flatMap((s) => Array<number>(s.units).fill(s.atMs));
    const peak = mostInASecond(times(recent));
    if (peak.units > R * 1.02 + 1) throw new PodRuleBroken('at most 1.02 R + 1 units in any second', peak);
    this.checkShare(times(recent));
    if (nowMs < this.frozenUntilMs) return;
    parts.tokens.advance(nowMs);
    const tokens = parts.tokens as unknown as { available(p: Priority, nowMs: number): number };
    for (const p of PRIORITIES) {
      const { units, nextUnits } = this.fleet.lane(0, p).waiting();
      const there = tokens.available(p, nowMs);
      if (units > 0 && there >= nextUnits)
        throw new PodRuleBroken('no wake-up is lost', { p, there, nextUnits, nowMs });
    }
  }

  private checkShare(times: readonly number[]): void {
    const alone = this.mutex.view().authority === 'alone';
    if (!alone) this.aloneSinceMs = undefined;
    else this.aloneSinceMs ??= this.nowMs;
    const since = this.aloneSinceMs ?? Infinity;
    const peak = mostInASecond(times.filter((ms) => ms > since));
    // its pace, one more at the fence, what is late by a lapse at most, and its part of the standing stock
    const share = R * OWNED;
    if (peak.units > share * 1.02 + 3)
      throw new PodRuleBroken('a blind pod spends its share', { ...peak, share });
  }

  /** What answers and edges say of other pods' holds, as the pod must take it over. */
  private watchHolds(): void {
    const { gate } = this.parts;
    const note = gate.note.bind(gate);
    gate.note = (holds, toLocal, nowMs) => {
      for (const h of holds)
        if (h.pod !== this.parts.pod) {
          // a press and a hold are the longest that counts
          const untilMs = Math.min(toLocal(h.untilMs), nowMs + 360);
          this.told.push({ priority: h.priority, fromMs: nowMs, untilMs });
        }
      note(holds, toLocal, nowMs);
    };
  }

  private watchTakes(): void {
    const { tokens } = this.parts;
    const take = tokens.take.bind(tokens);
    tokens.take = (priority, units, nowMs) => {
      const result = take(priority, units, nowMs);
      if (result.kind !== 'granted' || priority === 'P1') return result;
      const { parts } = result.token as unknown as { parts: readonly Unit[] };
      const open = parts.every((u) => u.minimumShare);
      this.lowerStarts.push({
        priority,
        atMs: nowMs,
        blockedBy: open ? undefined : this.holder(priority, nowMs),
      });
      return result;
    };
  }

  /** Who holds `priority` back at this moment. */
  private holder(priority: Priority, nowMs: number): unknown {
    if (this.parts.facts.mode === 'noop') return undefined;
    const above = classesAbove(priority);
    const told = this.told.find((t) => above.includes(t.priority) && t.fromMs < nowMs && nowMs < t.untilMs);
    const { pods, ratePerSecond } = this.parts.facts;
    const impatient = above.find((p) => {
      const { units, nextUnits, oldestSince } = this.fleet.lane(0, p).waiting();
      const patience = patienceMs(p, nextUnits, pods, ratePerSecond, this.parts.timing);
      return units > 0 && nowMs - (oldestSince ?? nowMs) > patience + 0.2;
    });
    return told ?? impatient;
  }
}
