import type { LaneSeat, Seat, Waiting } from '@commservice/priority-mutex';
import type { LaneItem } from './lane-item.js';
import type { LaneWorkerParts, SlotHandler } from './lane-worker-parts.js';
import { endedUnsent } from './steps/unsent.js';

const OWNERSHIP_RECHECK_MS = 100;

/**
 * The main loop of one lane: names its steps and contains none of them.
 * admit (decode, open) → claim ahead → slot free, account well, time left? → gate and token → send → outcome stored → settled
 *
 * States: IDLE (no handler yet) → RUNNING → STOPPING. One pass (`pump`) runs at every change: arrival, claim answer, token,
 * end of a send. Nothing is awaited between a token and its send. Invariants: at most `account.slots` sends in the air; every
 * record taken ends in exactly one settle, or is dropped with its generation before it was sent.
 */
export class LaneWorker implements LaneSeat {
  private seat: Seat | undefined;
  private handler: SlotHandler | undefined;
  private sending = 0;
  private stopping = false;
  private pumping = false;
  private pumpAgain = false;

  constructor(private readonly parts: LaneWorkerParts) {}

  /** Begins to send through `handler`, at `seat` of the account's scope. */
  start(handler: SlotHandler, seat: Seat): void {
    this.handler = handler;
    this.seat = seat;
    this.pump();
  }

  get inFlight(): number {
    return this.sending;
  }

  waiting(): Waiting {
    const { claims, queue, clock } = this.parts;
    // a lane that could not send with a token in hand must not press: it would hold lower classes back for nothing
    const units = this.maySend()
      ? claims.readyUnits + claims.pendingCount + queue.dueDepth(clock.monotonic())
      : 0;
    if (units === 0) return { units: 0, nextUnits: 0 };
    const next = claims.peek();
    return {
      units,
      nextUnits: next?.message.units ?? 1,
      oldestSince: next?.waitingSince ?? queue.nextDueAt(),
    };
  }

  wake(): void {
    this.pump();
  }

  ownership(): number {
    return this.parts.meters.ownership();
  }

  /** Something changed. */
  pump(): void {
    this.pumpAgain = true;
    if (this.pumping) return;
    this.pumping = true;
    while (this.pumpAgain) {
      this.pumpAgain = false;
      this.fill();
      this.launch();
    }
    this.pumping = false;
    this.seat?.demandChanged();
  }

  /** Starts nothing more, waits for what is in the air and for its outcomes; then gives the rest up. */
  async stop(deadlineMs: number): Promise<void> {
    const { admit, claims, clock, settler, timer } = this.parts;
    this.stopping = true;
    this.seat?.leave();
    admit.forget();
    claims.clear();
    const endAt = clock.monotonic() + deadlineMs;
    while ((this.sending > 0 || settler.pending > 0) && clock.monotonic() < endAt) await tick();
    claims.clear();
    settler.giveUp();
    timer.clear();
  }

  private maySend(): boolean {
    const { account, admit, consumer, lane, settler } = this.parts;
    if (!this.handler || this.stopping || admit.halted || !settler.hasRoom) return false;
    return consumer.ownershipFresh() && account.hasSlot(lane.priority) && account.mayStart(lane.priority);
  }

  private fill(): void {
    const { queue, admit, claims, clock, timer, windowItems } = this.parts;
    if (!this.handler || this.stopping) return;
    const now = clock.monotonic();
    // refilled from half: one claim for many records, and never an empty window while records wait
    if (claims.size <= windowItems / 2) {
      const items = admit.take(windowItems - claims.size, now);
      if (items.length > 0) claims.add(items);
    }
    const dueAt = queue.nextDueAt();
    if (dueAt !== undefined && dueAt > now) timer.set(dueAt);
  }

  private launch(): void {
    const { account, claims, clock, consumer, lane, meters, settler, timer } = this.parts;
    if (!this.seat || this.stopping) return;
    claims.renew();
    for (let item = claims.peek(); item; item = claims.peek()) {
      const ended = endedUnsent(item, lane.priority, account, clock);
      if (ended) {
        claims.shift();
        settler.store(item, ended);
        continue;
      }
      if (!settler.hasRoom || !account.hasSlot(lane.priority)) return meters.blocked('slot');
      const pausedMs = account.waitMs(lane.priority);
      const recheckMs = consumer.ownershipFresh() ? pausedMs : OWNERSHIP_RECHECK_MS;
      if (recheckMs > 0) {
        timer.set(clock.monotonic() + recheckMs);
        return meters.blocked('provider');
      }
      const taken = this.seat.take(item.message.units);
      if (taken.kind !== 'granted') return meters.blocked(taken.kind === 'no-quota' ? taken.cause : 'token');
      claims.shift();
      this.send(item);
    }
    meters.idle();
  }

  private send(item: LaneItem): void {
    const { account, claims, lane, meters, settler } = this.parts;
    this.sending++;
    account.started(lane.priority);
    meters.sending(item);
    void (this.handler as SlotHandler)([item]).then(([verdict]) => {
      this.sending--;
      if (!verdict || verdict.kind === 'again') claims.putBack(item);
      else settler.store(item, verdict.outcome);
      this.pump();
    });
  }
}

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
