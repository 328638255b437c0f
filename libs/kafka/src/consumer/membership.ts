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
 * States: UNKNOWN → FRESH by `joined` or `heartbeat` → STALE one session after that request left → FRESH again; FRESH → STALE
 * when a join is answered, until the assignment that follows from it.
 * Invariants: the date is never later than the send; while the group waits for its members to join again, nobody else has
 * been given what we own. Caller: LaneConsumer, which tells of each answered request first and of what it meant after it.
 */
export class Membership {
  private heartbeatSentAt = -Infinity;
  private syncSentAt = -Infinity;
  private countedAt = -Infinity;
  /** The group has a new generation, and we do not know yet what we own in it. */
  private undecided = false;

  constructor(
    private readonly clock: Clock,
    private readonly sessionMs: number,
  ) {}

  /** A request was answered, with success or not. */
  answered({ apiName, duration }: AnsweredRequest): void {
    const sentAt = this.clock.monotonic() - Math.max(0, duration);
    if (apiName === 'Heartbeat') this.heartbeatSentAt = sentAt;
    if (apiName === 'SyncGroup') this.syncSentAt = sentAt;
    if (apiName === 'JoinGroup') this.undecided = true;
  }

  /** The heartbeat answered last was a good one. */
  heartbeat(): void {
    this.countedAt = this.heartbeatSentAt;
  }

  /** Heartbeats are answered in the generation that we had: a join that was answered led to nothing. */
  unchanged(): void {
    this.undecided = false;
  }

  /** The group gave us an assignment, in answer to the sync answered last. */
  joined(): void {
    this.countedAt = this.syncSentAt;
    this.undecided = false;
  }

  /** The member lost its connection or its place: until the group answers again, nothing is certain. */
  lost(): void {
    this.countedAt = -Infinity;
  }

  /** Whether the broker can neither have taken us for dead nor have given what we own to another. */
  get fresh(): boolean {
    return !this.undecided && this.clock.monotonic() - this.countedAt < this.sessionMs;
  }
}
