import type { LaneSeat, Seat, Waiting } from '@commservice/priority-mutex';
import type { LaneItem } from './lane-item.js';
import type { LaneWorkerParts, SlotHandler } from './lane-worker-parts.js';
import { endedUnsent } from './steps/unsent.js';

const OWNERSHIP_RECHECK_MS = 100;
/** A connection is being opened. */
const CONNECTING_RECHECK_MS = 2;

/**
 * The main loop of one lane: names its steps and contains none of them.
 * admit (decode, open) → claim ahead → not held, slot free, account well, time left, connection ready? → gate and token → send → outcome stored → settled
 *
 * States: IDLE (no handler yet) → RUNNING → STOPPING. One pass (`pump`) runs at every change: arrival, claim answer, token,
 * end of a send. Nothing is awaited between a token and its send. Invariants: at most `account.slots` sends in the air; every
 * record taken ends in exactly one settle, or is dropped with its generation before it was sent.
 */
export class LaneWorker {
  private seats: readonly Seat[] = [];
  private handler: SlotHandler | undefined;
  private sending = 0;
  private stopping = false;
  private pumping = false;
  private pumpAgain = false;

  constructor(private readonly parts: LaneWorkerParts) {}

  /** Begins to send through `handler`, at one seat for each account's scope. */
  start(handler: SlotHandler, seats: readonly Seat[]): void {
    this.handler = handler;
    this.seats = seats;
    this.pump();
  }

  /** What the lane tells the scope of account `route`. */
  seatFor(route: number): LaneSeat {
    const { ownership } = this.parts.meters;
    return { waiting: () => this.waiting(route), wake: () => this.pump(), ownership };
  }

  get inFlight(): number {
    return this.sending;
  }

  private waiting(route: number): Waiting {
    const { admit, claims, queue, clock, routes } = this.parts;
    const next = claims.peek();
    const choice = this.maySend() ? routes.choose(next) : undefined;
    // a lane that could not send with a token in hand must not press: it would hold lower classes back for nothing
    if (choice?.kind !== 'go' || choice.route !== route) return NOTHING;
    const units = claims.readyUnits + claims.pendingCount + admit.dueDepth(clock.monotonic());
    if (units === 0) return NOTHING;
    const oldestSince = next?.waitingSince ?? queue.nextDueAt();
    return { units, nextUnits: next?.message.units ?? 1, oldestSince };
  }

  /** Something changed. */
  pump(): void {
    this.pumpAgain = true;
    if (this.pumping) return;
    this.pumping = true;
    try {
      while (this.pumpAgain) {
        this.pumpAgain = false;
        this.fill();
        this.launch();
      }
    } finally {
      this.pumping = false;
    }
    for (const seat of this.seats) seat.demandChanged();
  }

  /** Starts nothing more, waits for what is in the air and for its outcomes; then gives the rest up. */
  async stop(deadlineMs: number): Promise<void> {
    const { admit, claims, clock, settler, timer } = this.parts;
    this.stopping = true;
    for (const seat of this.seats) seat.leave();
    admit.forget();
    claims.clear();
    const endAt = clock.monotonic() + deadlineMs;
    while ((this.sending > 0 || settler.pending > 0) && clock.monotonic() < endAt) await tick();
    claims.clear();
    settler.giveUp();
    timer.clear();
  }

  private maySend(): boolean {
    const { admit, consumer, held, settler } = this.parts;
    if (!this.handler || this.stopping || admit.halted || held()) return false;
    return settler.hasRoom && consumer.ownershipFresh();
  }

  private fill(): void {
    const { admit, claims, clock, held, timer } = this.parts;
    if (!this.handler || this.stopping || held()) return;
    const now = clock.monotonic();
    const windowItems = this.parts.windowItems();
    // refilled from half: one claim for many records, and never an empty window while records wait
    if (claims.size <= windowItems / 2) {
      const items = admit.take(windowItems - claims.size, now);
      if (items.length > 0) claims.add(items);
    }
    const dueAt = admit.nextDueAt(now);
    if (dueAt !== undefined) timer.set(dueAt);
  }

  private launch(): void {
    const { admit, claims, clock, consumer, held, lane, meters, queue, routes, settler, timer } = this.parts;
    if (!this.handler || this.stopping) return;
    if (held()) return claims.size + queue.depth > 0 ? meters.blocked('paused') : meters.idle();
    claims.renew();
    for (let item = claims.peek(); item; item = claims.peek()) {
      const choice = routes.choose(item);
      const route = choice.kind === 'go' ? choice.route : 0;
      const ended = endedUnsent(item, lane.priority, routes.at(route), clock);
      if (ended) {
        claims.shift();
        settler.store(item, ended);
        continue;
      }
      if (admit.skips(item)) {
        claims.drop();
        this.pumpAgain = true; // so that its limit's time is waited for
        continue;
      }
      if (!settler.hasRoom) return meters.blocked('slot');
      const pausedMs = choice.kind === 'go' ? 0 : choice.waitMs;
      const recheckMs = consumer.ownershipFresh() ? pausedMs : OWNERSHIP_RECHECK_MS;
      if (recheckMs > 0) timer.set(clock.monotonic() + recheckMs);
      if (choice.kind === 'wait' || recheckMs > 0)
        return meters.blocked(choice.kind === 'wait' ? choice.cause : 'provider');
      if (!routes.ready(route)) {
        timer.set(clock.monotonic() + CONNECTING_RECHECK_MS);
        return meters.blocked('slot');
      }
      const taken = (this.seats[route] as Seat).take(item.message.units);
      if (taken.kind !== 'granted') return meters.blocked(taken.kind === 'no-quota' ? taken.cause : 'token');
      claims.shift();
      this.send(item, route);
    }
    meters.idle();
  }

  private send(item: LaneItem, route: number): void {
    const { claims, lane, meters, routes, settler } = this.parts;
    this.sending++;
    item.route = route;
    routes.at(route).started(lane.priority);
    meters.sending(item);
    void (this.handler as SlotHandler)([item]).then(([verdict]) => {
      this.sending--;
      if (verdict?.kind === 'outcome') settler.store(item, verdict.outcome);
      else {
        item.avoid |= 1 << route;
        item.returns++;
        claims.putBack(item);
      }
      this.pump();
    });
  }
}

const NOTHING: Waiting = { units: 0, nextUnits: 0 };
const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
