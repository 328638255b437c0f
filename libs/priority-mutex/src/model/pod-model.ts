import type { ByClass, LeaseAnswer, LeaseRequest } from '../coordinator/coordinator.js';
import { leaseRequest } from './lease-requests.js';

export const HORIZON_MS = 150;
/** Horizon and lapse: how long what was granted to others lasts. */
const SETTLE_MS = HORIZON_MS + 20;
const VIEW_MAX_AGE_MS = 1500;
const SHARES = { P1: 0.2, P2: 0.3, P3: 0.5 } as const;

interface HeldUnit {
  readonly slot: number;
  readonly grid: number;
  readonly dueMs: number;
  readonly priority: string;
}

/** What a lease of a modelled pod says. */
export interface Ask {
  readonly demand: ByClass<number>;
  readonly pressing: LeaseRequest['pressing'];
  readonly mode: LeaseRequest['mode'];
  readonly nextCallWithinMs: number;
  /** Gives up all but this many departures. */
  readonly keep: number;
}

/**
 * A pod at its greediest: every departure starts a unit at its very time, once the standing stock is full; the stock goes in
 * a burst. Without answers it turns alone as a real one does and spends its part of R, from its first moment on.
 * Times in ms of the model.
 */
export class PodModel {
  held: HeldUnit[] = [];
  stock = 0;
  allowed = 0;
  private run = '';
  private grid = 0;
  private sequence = 0;
  private p1Started = 0;
  private heardAtMs: number;
  private announcedMs: number;
  private missed = false;
  /** The R of which it spends its part while alone. */
  loneRate = 0;
  private loneStepMs = 0;
  private nextLoneMs = Infinity;
  /** Whether the coordinator ever answered. */
  private known: boolean;

  constructor(
    readonly name: string,
    readonly ownership: ByClass<number>,
    public ratePerSecond: number,
    bornMs: number,
    known = false,
  ) {
    this.known = known;
    this.heardAtMs = bornMs;
    this.announcedMs = bornMs + 250;
  }

  get alone(): boolean {
    return this.nextLoneMs < Infinity;
  }

  /** Starts what falls due until `nowMs`. */
  advance(nowMs: number, start: (atMs: number) => void): void {
    if (!this.alone && nowMs - this.heardAtMs > VIEW_MAX_AGE_MS) this.stock = 0;
    const due = this.held.filter((u) => u.dueMs <= nowMs);
    this.held = this.held.filter((u) => u.dueMs > nowMs);
    for (const u of due) this.depart(u.dueMs, u.priority === 'P1', start);
    for (; this.nextLoneMs <= nowMs; this.nextLoneMs += this.loneStepMs)
      this.depart(this.nextLoneMs, false, start);
  }

  burst(nowMs: number, start: (atMs: number) => void): void {
    this.p1Started += this.stock;
    for (; this.stock > 0; this.stock--) start(nowMs);
  }

  request(ask: Ask, nowMs: number): LeaseRequest {
    const free = this.held.filter((u) => u.grid === this.grid && u.dueMs > nowMs + 4);
    const released = this.alone ? [] : free.slice(ask.keep).map((u) => u.slot);
    this.held = this.held.filter((u) => u.grid !== this.grid || !released.includes(u.slot));
    const { demand, pressing, mode } = ask;
    const nextCallWithinMs = this.announces(ask, nowMs);
    return leaseRequest({
      ...{ demand, pressing, mode, nextCallWithinMs, released },
      pod: this.name,
      ratePerSecond: this.ratePerSecond,
      ownership: this.ownership,
      wantsStock: this.ownership.P1 > 0,
      p1Started: this.p1Started,
      grid: this.grid,
      seenSequence: this.sequence,
      horizonMs: HORIZON_MS,
      maxBlockMs: 1000,
    });
  }

  /** @param offsetMs how far the coordinator's clock is ahead of the model's */
  answered(a: LeaseAnswer, ask: Ask, nowMs: number, offsetMs: number): void {
    if (this.alone || this.run !== a.run) this.stock = 0;
    this.nextLoneMs = Infinity;
    Object.assign(this, { run: a.run, grid: a.grid, sequence: a.sequence, allowed: a.stockAllowed });
    Object.assign(this, {
      p1Started: 0,
      known: true,
      heardAtMs: nowMs,
      announcedMs: nowMs + ask.nextCallWithinMs,
    });
    this.stock = Math.min(this.stock, this.allowed);
    for (const { slot, dueMs, priority } of a.slots)
      this.held.push({ slot, grid: a.grid, dueMs: dueMs - offsetMs, priority });
    this.held.sort((x, y) => x.dueMs - y.dueMs);
  }

  /** A call without an answer may have been heard: what it announced counts, and later ones announce no more than that. */
  unanswered(ask: Ask, nowMs: number): void {
    if (!this.missed) this.announcedMs = Math.max(this.announcedMs, nowMs + ask.nextCallWithinMs);
    this.missed = true;
    if (this.alone || !this.known || nowMs < this.announcedMs + SETTLE_MS) return;
    const { P1, P2, P3 } = this.ownership;
    const paced = this.ratePerSecond * (SHARES.P1 * P1 + SHARES.P2 * P2 + SHARES.P3 * P3) * 0.98;
    Object.assign(this, { held: [], stock: 0, allowed: 0 });
    if (paced === 0) return;
    const whole = paced < 1 ? paced : Math.floor(paced + 1e-9);
    this.loneRate = this.ratePerSecond;
    this.loneStepMs = 1000 / whole;
    this.nextLoneMs = nowMs;
    this.allowed = P1 > 0 ? Math.floor((whole / 0.98) * 0.02 + 1e-9) : 0;
  }

  private announces(ask: Ask, nowMs: number): number {
    const { nextCallWithinMs } = ask;
    return this.missed ? Math.max(0, Math.min(nextCallWithinMs, this.announcedMs - nowMs)) : nextCallWithinMs;
  }

  private depart(atMs: number, p1: boolean, start: (atMs: number) => void): void {
    if (this.stock < this.allowed) this.stock++;
    else {
      if (p1) this.p1Started++;
      start(atMs);
    }
  }
}
