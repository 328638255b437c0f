import type { Clock } from '@commservice/contracts';
import type { Logger } from '@commservice/telemetry';

const FIRST_REBUILD_MS = 500;
const MAX_REBUILD_MS = 15_000;
/** A member that neither fetches nor is told why for this long is built anew. */
export const STALL_MS = 60_000;

/**
 * Keeps a consumer alive that kafkajs gave up (`restart: false`) or that fell silent. States: WATCHING ⇄ REBUILDING →
 * STOPPED. Waits 0.5 s before the first rebuild and twice as long before each next one, at most 15 s, until a join
 * succeeds. Called by LaneConsumer only.
 */
export class Supervisor {
  private waitMs = FIRST_REBUILD_MS;
  private lastSignAt: number;
  private rebuilding: NodeJS.Timeout | undefined;
  private watchdog: NodeJS.Timeout | undefined;

  constructor(
    private readonly group: string,
    /** Drops the old consumer and starts a new one. */
    private readonly rebuild: () => Promise<void>,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.lastSignAt = clock.monotonic();
  }

  start(): void {
    this.watchdog = setInterval(() => this.look(), STALL_MS / 4).unref();
  }

  stop(): void {
    clearInterval(this.watchdog);
    clearTimeout(this.rebuilding);
  }

  /** The member fetched or had a heartbeat answered. */
  sign(): void {
    this.lastSignAt = this.clock.monotonic();
  }

  /** The member joined: all is well again. */
  joined(): void {
    this.sign();
    this.waitMs = FIRST_REBUILD_MS;
  }

  /** kafkajs crashed; it restarts by itself only when it says so. */
  crashed(error: Error, restarts: boolean): void {
    const fields = { group: this.group, error: error.message };
    if (restarts) return this.logger.warn(fields, 'the consumer lost the broker and joins again');
    this.logger.error(fields, 'the consumer stopped for good; it is built anew');
    this.schedule();
  }

  /** The member is in a generation whose assignment it never got. */
  lost(): void {
    this.logger.warn({ group: this.group }, 'the consumer joined without an assignment; it is built anew');
    this.schedule();
  }

  private look(): void {
    const silentMs = this.clock.monotonic() - this.lastSignAt;
    if (silentMs < STALL_MS) return;
    this.logger.error(
      { group: this.group, silentMs },
      'the consumer neither fetches nor crashes; it is built anew',
    );
    this.schedule();
  }

  private schedule(): void {
    if (this.rebuilding) return;
    this.rebuilding = setTimeout(() => {
      this.rebuilding = undefined;
      this.sign();
      this.rebuild().catch((error: unknown) => {
        this.logger.warn(
          { group: this.group, error: String(error) },
          'the consumer could not be built; trying again',
        );
        this.schedule();
      });
    }, this.waitMs);
    this.waitMs = Math.min(this.waitMs * 2, MAX_REBUILD_MS);
  }
}
