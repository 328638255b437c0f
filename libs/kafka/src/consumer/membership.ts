import type { Clock } from '@commservice/contracts';

/** What an answered request of the consumer tells (kafkajs `consumer.network.request`). */
export interface AnsweredRequest {
  readonly apiName: string;
  /** From its send to the reading of its answer, ms. */
  readonly duration: number;
}

/**
 * Until when the broker certainly counts this member in. The broker counts a session from what it received, so ours is
 * dated by the SEND of the request that it answered: an answer may lie unread in a process that was frozen.
 * States: UNKNOWN → FRESH by `joined` or `heartbeat` → STALE one session after that request left → FRESH again.
 * Invariant: the date is never later than the send. Caller: LaneConsumer, which tells of each answered request first and
 * of what it meant after it.
 */
export class Membership {
  private heartbeatSentAt = -Infinity;
  private syncSentAt = -Infinity;
  private countedAt = -Infinity;

  constructor(
    private readonly clock: Clock,
    private readonly sessionMs: number,
  ) {}

  /** A request was answered, with success or not. */
  answered({ apiName, duration }: AnsweredRequest): void {
    const sentAt = this.clock.monotonic() - Math.max(0, duration);
    if (apiName === 'Heartbeat') this.heartbeatSentAt = sentAt;
    if (apiName === 'SyncGroup') this.syncSentAt = sentAt;
  }

  /** The heartbeat answered last was a good one. */
  heartbeat(): void {
    this.countedAt = this.heartbeatSentAt;
  }

  /** The group gave us an assignment, in answer to the sync answered last. */
  joined(): void {
    this.countedAt = this.syncSentAt;
  }

  /** Whether the broker cannot have taken us for dead yet. */
  get fresh(): boolean {
    return this.clock.monotonic() - this.countedAt < this.sessionMs;
  }
}
