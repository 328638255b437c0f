import type { Outcome } from '@commservice/contracts';
import type { LaneConsumer } from '@commservice/kafka';
import type { LaneItem } from './lane-item.js';
import type { OutcomeWriter, Settled } from './outcome-writer.js';

/** Outcomes on their way to Kafka; above it the lane starts nothing more. */
const MAX_UNSTORED = 2_000;

/**
 * Stores outcomes and settles their records. Invariant: a record is settled only when its outcome is stored outside the
 * process; one whose outcome could not be stored before `giveUp` stays unsettled and comes again.
 */
export class Settler {
  private unstored = 0;
  private readonly abort = new AbortController();

  constructor(
    private readonly writer: Pick<OutcomeWriter, 'write'>,
    private readonly consumer: Pick<LaneConsumer, 'settle'>,
    /** An outcome was stored, or given up. */
    private readonly onEnd: () => void,
  ) {}

  /** Outcomes not stored yet. */
  get pending(): number {
    return this.unstored;
  }

  /** Whether the lane may take on more. */
  get hasRoom(): boolean {
    return this.unstored < MAX_UNSTORED;
  }

  store(settled: Settled & Pick<Partial<LaneItem>, 'narrow'>, outcome: Outcome): void {
    settled.narrow?.end();
    this.unstored++;
    void this.writer.write(settled, outcome, this.abort.signal).then((stored) => {
      this.unstored--;
      if (stored) this.consumer.settle(settled.record);
      this.onEnd();
    });
  }

  /** Stops repeating produces that are not acknowledged. */
  giveUp(): void {
    this.abort.abort();
  }
}
