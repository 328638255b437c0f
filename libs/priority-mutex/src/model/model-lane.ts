import type { Priority } from '@commservice/contracts';
import type { ScopeMutex } from '../scope-mutex.js';
import type { GrantedToken } from '../scope-tokens.js';
import type { LaneSeat, Seat, Token } from '../seat.js';
import type { Start } from './starts.js';
import type { VirtualTime } from './virtual-time.js';

interface Item {
  readonly units: number;
  readonly sinceMs: number;
}

/** Where a lane lives: `Fleet` fits. */
export interface LaneHost {
  readonly time: VirtualTime;
  readonly starts: Start[];
  readonly options: { readonly pods: number };
  /** How far a pod's own clock is ahead of the model's time, ms. */
  aheadMs(pod: number): number;
  /** Runs now, or when the pod is no longer frozen. */
  whenAwake(pod: number, run: () => void): void;
}

/** A lane with its queue: starts whatever it gets a token for. */
export class ModelLane implements LaneSeat {
  readonly queue: Item[] = [];
  /** Units of an endless backlog's next message; undefined = no backlog. */
  endless: (() => number) | undefined;
  owned: number;
  private seat: Seat | undefined;
  private last: { readonly token: Token; readonly start: Start } | undefined;
  private nextEndless: Item | undefined;

  constructor(
    private readonly fleet: LaneHost,
    readonly pod: number,
    readonly priority: Priority,
  ) {
    this.owned = 1 / fleet.options.pods;
  }

  sit(mutex: ScopeMutex): void {
    this.seat = mutex.join(this.priority, this);
  }

  get joined(): Seat {
    return this.seat as Seat;
  }

  arrive(units: number): void {
    this.queue.push({ units, sinceMs: this.now() });
    this.fleet.whenAwake(this.pod, () => this.wake());
    this.fleet.whenAwake(this.pod, () => this.joined.demandChanged());
  }

  flood(units: () => number): void {
    this.endless = units;
    this.joined.demandChanged();
  }

  waiting() {
    const head = this.head();
    if (!head) return { units: 0, nextUnits: 0 };
    const units = this.endless ? 500 : this.queue.reduce((sum, i) => sum + i.units, 0);
    return { units, nextUnits: head.units, oldestSince: head.sinceMs };
  }

  ownership(): number {
    return this.owned;
  }

  wake(): void {
    for (let head = this.head(); head; head = this.head()) {
      const taken = this.joined.take(head.units);
      if (taken.kind !== 'granted') return;
      const ahead = this.fleet.aheadMs(this.pod);
      const start: Start = {
        atMs: this.fleet.time.monotonic(),
        pod: this.pod,
        priority: this.priority,
        units: head.units,
        waitMs: this.now() - head.sinceMs,
        departuresMs: (taken.token as GrantedToken).departuresMs().map((ms) => ms - ahead),
      };
      this.fleet.starts.push(start);
      this.last = { token: taken.token, start };
      if (this.queue.length > 0) this.queue.shift();
      else this.nextEndless = undefined;
    }
  }

  /** The last start did not happen: its token goes back. */
  giveBackLast(): void {
    const last = this.last;
    this.last = undefined;
    const i = last ? this.fleet.starts.indexOf(last.start) : -1;
    if (!last || i < 0) return;
    this.fleet.starts.splice(i, 1);
    this.joined.giveBack(last.token);
  }

  private head(): Item | undefined {
    if (this.queue[0]) return this.queue[0];
    if (this.endless) this.nextEndless ??= { units: this.endless(), sinceMs: this.now() };
    return this.endless ? this.nextEndless : undefined;
  }

  private now(): number {
    return this.fleet.time.monotonic() + this.fleet.aheadMs(this.pod);
  }
}
