import type { Clock } from '@commservice/contracts';
import type { Charge, SlidingLimit } from './sliding-limit.js';

/** One limit that a send counts at; not `binding`: it counts, and goes also above it. */
export interface ReservedCharge {
  readonly limit: SlidingLimit;
  readonly charge: Charge;
  readonly binding: boolean;
}

/**
 * What one send counts at its limits. States: RESERVED → STARTED ⇄ RESERVED (it came back unsent) → ENDED, for good; a
 * reservation that ends unstarted counts for nothing. Carried by its item. Callers: SkippingStage (made, mayStart), LaneSender
 * (started), ClaimStage (returned), Settler (end).
 */
export class Reservation {
  private readonly charges: ReservedCharge[] = [];
  private ended = false;
  private unstarted: Set<Reservation> | undefined;

  constructor(
    private readonly clock: Clock,
    /** Whether the send had to wait for a limit. */
    readonly held: boolean,
  ) {}

  add(charge: ReservedCharge): void {
    this.charges.push(charge);
  }

  /** Keeps itself in `unstarted` as long as its send has not started. */
  listIn(unstarted: Set<Reservation>): void {
    this.unstarted = unstarted.add(this);
  }

  /** Whether the limits let the send start now. */
  get mayStart(): boolean {
    const nowMs = this.clock.monotonic();
    return this.charges.every(({ limit, charge, binding }) => !binding || limit.mayStart(charge, nowMs));
  }

  /** The provider is called now. */
  started(): void {
    if (this.ended) return;
    this.unstarted?.delete(this);
    for (const { limit, charge } of this.charges) limit.start(charge, this.clock.monotonic());
  }

  /** The provider did not take it; it is called again later. */
  returned(): void {
    if (this.ended) return;
    this.unstarted?.add(this);
    for (const { limit, charge } of this.charges) limit.restart(charge);
  }

  /** The item is over, sent or not. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.unstarted?.delete(this);
    for (const { limit, charge } of this.charges) limit.cancel(charge);
  }
}
