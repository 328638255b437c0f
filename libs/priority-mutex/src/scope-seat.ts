import type { Clock, Priority } from '@commservice/contracts';
import type { ScopeGate } from './gate/scope-gate.js';
import type { LeaseLoop } from './lease-loop.js';
import type { ScopeTokens } from './scope-tokens.js';
import type { SeatTable } from './seat-table.js';
import type { LaneSeat, PressReason, Seat, TakeResult, Token } from './seat.js';

/** How long a lane that left, or whose scope stopped, is told to wait. */
const GONE_WAIT_MS = 1000;

export interface SeatParts {
  readonly clock: Clock;
  readonly seats: SeatTable;
  readonly gate: ScopeGate;
  readonly tokens: ScopeTokens;
  readonly loop: LeaseLoop;
  readonly running: () => boolean;
}

/** A lane's place in its scope. States: SEATED → LEFT. */
export class ScopeSeat implements Seat {
  private left = false;

  constructor(
    private readonly priority: Priority,
    private readonly lane: LaneSeat,
    private readonly parts: SeatParts,
  ) {
    parts.seats.add(priority, lane);
  }

  take(units: number): TakeResult {
    if (this.left || !this.parts.running()) return { kind: 'no-answer', waitMs: GONE_WAIT_MS };
    return this.parts.tokens.take(this.priority, units, this.parts.clock.monotonic());
  }

  giveBack(token: Token): void {
    this.parts.tokens.giveBack(token, this.parts.clock.monotonic());
    this.parts.loop.react();
  }

  demandChanged(): void {
    if (!this.left) this.parts.loop.react();
  }

  pressAccount(_reason: PressReason, untilMonotonicMs: number): void {
    if (this.left) return;
    this.parts.gate.pressAccount(this.priority, untilMonotonicMs);
    this.parts.loop.react();
  }

  leave(): void {
    if (this.left) return;
    this.left = true;
    this.parts.seats.remove(this.priority, this.lane);
    this.parts.loop.react();
  }
}
