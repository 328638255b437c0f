import type { Clock, Lane } from '@commservice/contracts';
import type { Metrics } from '@commservice/telemetry';
import type { LaneItem } from './lane-item.js';

/** What keeps a lane's next record from starting. */
export type BlockCause = 'token' | 'gate' | 'hold' | 'slot' | 'provider' | 'paused';

/** Waits shorter than this are scheduling, not waiting, ms. */
const NOISE_MS = 1;

/** Says of each send what it waited for and how long, and keeps the lane's present cause of waiting for `GET /lanes`. */
export class LaneMeters {
  private cause: BlockCause | undefined;
  private causeSince = 0;
  private sent = 0;

  constructor(
    private readonly lane: Lane,
    private readonly retry: boolean,
    private readonly metrics: Metrics,
    private readonly clock: Clock,
    /** The lane's partitions owned here, of all. */
    readonly ownership: () => number,
  ) {}

  /** Sends started since the process did. */
  get sends(): number {
    return this.sent;
  }

  /** What the next record waits for, and for how long, ms; undefined when nothing waits. */
  get waitingFor(): { cause: BlockCause; forMs: number } | undefined {
    return this.cause && { cause: this.cause, forMs: Math.round(this.clock.monotonic() - this.causeSince) };
  }

  /** The next record may not start. */
  blocked(cause: BlockCause): void {
    if (this.cause !== cause) this.causeSince = this.clock.monotonic();
    this.cause = cause;
  }

  /** Nothing waits. */
  idle(): void {
    this.cause = undefined;
  }

  /** A send starts now. */
  sending(item: LaneItem): void {
    const waitedMs = this.clock.monotonic() - item.waitingSince;
    const cause = item.narrow?.held ? 'token' : (this.cause ?? (this.retry ? 'retry' : 'slot'));
    if (waitedMs > NOISE_MS) this.metrics.waitDuration.record(waitedMs / 1000, { ...this.lane, cause });
    this.metrics.deliveryLatency.record((this.clock.now() - item.message.acceptedAt) / 1000, this.lane);
    if (item.takenOver) this.metrics.repeats.add(1, { ...this.lane, reason: 'crash' });
    this.sent++;
    this.cause = undefined;
  }
}
