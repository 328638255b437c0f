import {
  unreachable,
  type Clock,
  type KeyRing,
  type Lane,
  type Message,
  type Outcome,
} from '@commservice/contracts';
import type { LaneConsumer } from '@commservice/kafka';
import type { LaneSeat, Seat, Waiting as SeatWaiting } from '@commservice/priority-mutex';
import type { Logger } from '@commservice/telemetry';
import type { AccountState } from './account/account-state.js';
import type { LaneItem } from './lane-item.js';
import type { LaneQueue, Waiting } from './lane-queue.js';
import type { LaneMeters } from './lane-meters.js';
import type { OutcomeWriter, Settled } from './outcome-writer.js';
import type { ClaimStage } from './steps/claim-stage.js';
import { keyDropped, prepare, type Prepared } from './steps/prepare.js';
import type { Verdict } from './steps/verdict.js';

/** Sends one item; resolves with what to do next. Never rejects. Called by a slot, through the lane's Nest handler. */
export type SlotHandler = (slice: readonly LaneItem[]) => Promise<readonly Verdict[]>;

/** Data keys: what is in memory, and one more look for a key made elsewhere. */
export type Keys = Pick<KeyRing, 'byId'> & { load(id: string): Promise<unknown> };

export interface LaneWorkerParts {
  readonly lane: Lane;
  readonly queue: LaneQueue;
  readonly claims: ClaimStage;
  readonly consumer: Pick<LaneConsumer, 'settle' | 'ownershipFresh'>;
  readonly account: AccountState;
  readonly keys: Keys;
  readonly writer: OutcomeWriter;
  readonly meters: LaneMeters;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Most items claimed ahead of their tokens. */
  readonly windowItems: number;
}

/** Outcomes on their way to Kafka; above it the lane starts nothing more. */
const MAX_UNSTORED = 2_000;
const OWNERSHIP_RECHECK_MS = 100;

/**
 * The main loop of one lane: names its steps and contains none of them.
 *
 * take from the queue → prepare (decode, open) → claim ahead → slot free, account well, time left? → gate and token →
 * send → verdict → outcome stored → settled.
 *
 * States: IDLE (no handler yet) → RUNNING → STOPPING; HALTED while a record of a newer schema is at the head. Nothing is
 * awaited between a token and its send. One pass (`pump`) runs at every change: arrival, claim answer, token, end of a send.
 * Invariants: at most `account.slots` sends in the air; every record taken ends in exactly one settle, or is dropped with
 * its generation before it was sent.
 */
export class LaneWorker implements LaneSeat {
  private seat: Seat | undefined;
  private handler: SlotHandler | undefined;
  private readonly abort = new AbortController();
  private sending = 0;
  private unstored = 0;
  private stopping = false;
  private haltedBy: string | undefined;
  private pumping = false;
  private pumpAgain = false;
  private timer: NodeJS.Timeout | undefined;
  private timerAt = Infinity;

  constructor(private readonly parts: LaneWorkerParts) {}

  /** Begins to send through `handler`, at `seat` of the account's scope. */
  start(handler: SlotHandler, seat: Seat): void {
    this.handler = handler;
    this.seat = seat;
    this.pump();
  }

  /** Why the lane does not go on, in a plain sentence; undefined when it does. */
  get halted(): string | undefined {
    return this.haltedBy;
  }

  get inFlight(): number {
    return this.sending;
  }

  waiting(): SeatWaiting {
    const { claims, queue, clock } = this.parts;
    const next = claims.peek();
    const due = queue.dueDepth(clock.monotonic());
    if (!this.parts.account.mayStart(this.parts.lane.priority)) return { units: 0, nextUnits: 0 };
    const units = claims.readyUnits + claims.pendingCount + due;
    return units === 0
      ? { units: 0, nextUnits: 0 }
      : { units, nextUnits: next?.message.units ?? 1, oldestSince: next?.waitingSince ?? queue.nextDueAt() };
  }

  wake(): void {
    this.pump();
  }

  ownership(): number {
    return this.parts.meters.ownership();
  }

  /** Something changed: arrival, answer, end of a send. */
  pump(): void {
    if (this.pumping) {
      this.pumpAgain = true;
      return;
    }
    this.pumping = true;
    try {
      do {
        this.pumpAgain = false;
        this.fill();
        this.launch();
      } while (this.pumpAgain);
    } finally {
      this.pumping = false;
    }
    this.seat?.demandChanged();
  }

  /** What was taken and not sent belongs to a lost generation. */
  dropTaken(): void {
    this.parts.claims.clear();
  }

  /** Starts nothing more, waits for what is in the air and for its outcomes; then gives the rest up. */
  async stop(deadlineMs: number): Promise<void> {
    this.stopping = true;
    const endAt = this.parts.clock.monotonic() + deadlineMs;
    this.parts.claims.clear();
    while ((this.sending > 0 || this.unstored > 0) && this.parts.clock.monotonic() < endAt) await tick();
    this.parts.claims.clear();
    this.abort.abort();
    clearTimeout(this.timer);
    this.seat?.leave();
  }

  private fill(): void {
    const { queue, claims, clock, keys, windowItems } = this.parts;
    if (!this.handler || this.stopping || this.haltedBy) return;
    const now = clock.monotonic();
    const group: LaneItem[] = [];
    while (claims.size + group.length < windowItems && this.unstored < MAX_UNSTORED) {
      const waiting = queue.take(now);
      if (!waiting) break;
      this.admit(prepare(waiting.record, keys, waiting.dueAt), waiting, group);
      if (this.haltedBy) break;
    }
    if (group.length > 0) claims.add(group);
    const dueAt = queue.nextDueAt();
    if (dueAt !== undefined && dueAt > now) this.pumpAt(dueAt);
  }

  private admit(prepared: Prepared, waiting: Waiting, group: LaneItem[]): void {
    const { record } = waiting;
    switch (prepared.kind) {
      case 'item':
        if (this.expired(prepared.item))
          return this.store(prepared.item, { kind: 'expired', stage: 'queue' });
        group.push(prepared.item);
        return;
      case 'poison': {
        const outcome: Outcome = {
          kind: 'dead-letter',
          failure: prepared.failure,
          attempts: 0,
          disposition: 'poison',
        };
        return this.store({ record, message: prepared.message, generation: 0 }, outcome);
      }
      case 'key-missing':
        return this.loadKey(prepared.keyId, prepared.message, waiting);
      case 'unknown-schema':
        this.haltedBy = `a record of schema ${prepared.schema} waits for a newer build`;
        this.parts.logger.error(
          { topic: record.topic, partition: record.partition, offset: record.offset },
          this.haltedBy,
        );
        this.parts.queue.putBack(waiting);
        return;
      default:
        return unreachable(prepared);
    }
  }

  private loadKey(keyId: string, message: Message, waiting: Waiting): void {
    this.unstored++;
    void this.parts.keys.load(keyId).then((found) => {
      this.unstored--;
      const again = prepare(waiting.record, this.parts.keys, waiting.dueAt);
      const group: LaneItem[] = [];
      this.admit(found || again.kind !== 'key-missing' ? again : keyDropped(message), waiting, group);
      if (group.length > 0) this.parts.claims.add(group);
      this.pump();
    });
  }

  private launch(): void {
    const { claims, account, consumer, lane, meters } = this.parts;
    if (!this.seat || this.stopping) return;
    claims.renew();
    for (let item = claims.peek(); item; item = claims.peek()) {
      const ended = this.endedUnsent(item);
      if (ended) {
        claims.shift();
        this.store(item, ended);
        continue;
      }
      if (this.unstored >= MAX_UNSTORED || this.sending >= account.slots(lane.priority))
        return meters.blocked('slot');
      const pausedMs = account.waitMs(lane.priority);
      if (pausedMs > 0) {
        this.pumpAt(this.parts.clock.monotonic() + pausedMs);
        return meters.blocked('provider');
      }
      if (!consumer.ownershipFresh()) return this.pumpAt(this.parts.clock.monotonic() + OWNERSHIP_RECHECK_MS);
      const taken = this.seat.take(item.message.units);
      if (taken.kind !== 'granted') return meters.blocked(taken.kind === 'no-quota' ? taken.cause : 'token');
      claims.shift();
      this.send(item);
    }
    meters.idle();
  }

  private send(item: LaneItem): void {
    const { account, meters, claims } = this.parts;
    this.sending++;
    account.started();
    meters.sending(item);
    void (this.handler as SlotHandler)([item]).then(([verdict]) => {
      this.sending--;
      if (!verdict || verdict.kind === 'again') claims.putBack(item);
      else this.store(item, verdict.outcome);
      this.pump();
    });
  }

  /** Stores an outcome; settles when it is stored. */
  private store(settled: Settled, outcome: Outcome): void {
    this.unstored++;
    void this.parts.writer.write(settled, outcome, this.abort.signal).then((stored) => {
      this.unstored--;
      if (stored) this.parts.consumer.settle(settled.record);
      if (this.unstored < MAX_UNSTORED) this.pump();
    });
  }

  /** Called by the claim step: the item was sent before. */
  duplicate(item: LaneItem): void {
    this.store(item, { kind: 'duplicate' });
  }

  /** What a claimed item becomes without a send, if it may not be sent (any more). */
  private endedUnsent(item: LaneItem): Outcome | undefined {
    if (this.expired(item)) return { kind: 'expired', stage: 'queue' };
    const { account, lane } = this.parts;
    // a vendor without idempotency would deliver it twice: promise 7 repeats only P1
    if (item.takenOver && !account.account.idempotent && lane.priority !== 'P1') {
      return { kind: 'unconfirmed', account: account.name, code: 'owner_lost' };
    }
    return undefined;
  }

  /** Its remaining life must exceed what the call usually takes. */
  private expired(item: LaneItem): boolean {
    return item.message.expiresAt - this.parts.clock.now() <= this.parts.account.latency.quantile(0.5);
  }

  private pumpAt(at: number): void {
    if (at >= this.timerAt) return;
    clearTimeout(this.timer);
    this.timerAt = at;
    const delayMs = Math.min(Math.max(1, at - this.parts.clock.monotonic()), 60_000);
    this.timer = setTimeout(() => {
      this.timerAt = Infinity;
      this.pump();
    }, delayMs).unref();
  }
}

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
