import type { Clock } from '@commservice/contracts';
import type { Logger } from '@commservice/telemetry';
import type { TopicAdmin } from '../admin/topic-admin.js';
import type { Assignment } from './assigner/assign-sticky.js';
import type { CommitPoint, PartitionLedger } from './partition-ledger.js';
import { assignmentFacts } from './start-offsets.js';

const LEARN_AGAIN_MS = 500;
/** How long a watched member that was taken out wrongly may go on with what it had: some heartbeats and fetches. */
export const HAND_OVER_MS = 1_000;

export interface AssignmentLearnerOptions {
  readonly group: string;
  readonly admin: TopicAdmin;
  readonly ledger: PartitionLedger;
  readonly logger: Logger;
  readonly clock: Clock;
  /** For so long after an assignment nothing is fresh, ms: whoever owned it before may still fetch and send. */
  readonly handOverMs: number;
  readonly commit: (points: readonly CommitPoint[]) => Promise<boolean>;
  /** The group has a commit on every partition given: records may be settled. */
  readonly onStartCommitted: () => void;
}

/**
 * Learns what a member must know of the partitions it was just given: where they end (what comes after is fresh), and which
 * have no commit yet. States of an assignment: LEARNING (again every 500 ms) → KNOWN; a newer one ends it. Where a hand-over
 * time holds, the ends are those after it: what was produced meanwhile is not fresh either.
 * Invariant: `startCommitted` turns true once, after the group has a commit on every partition of one assignment.
 * Caller: LaneConsumer.
 */
export class AssignmentLearner {
  private assignments = 0;
  private committed = false;

  constructor(private readonly options: AssignmentLearnerOptions) {}

  get startCommitted(): boolean {
    return this.committed;
  }

  /** A new assignment. Never rejects. */
  async learn(assignment: Assignment): Promise<void> {
    const freshAt = this.options.clock.monotonic() + this.options.handOverMs;
    await this.ask(assignment, ++this.assignments, freshAt);
  }

  private async ask(assignment: Assignment, of: number, freshAt: number): Promise<void> {
    const { admin, clock, group, ledger, logger, commit, onStartCommitted } = this.options;
    const remainingMs = freshAt - clock.monotonic();
    try {
      const facts = await assignmentFacts(admin, group, assignment);
      if (of !== this.assignments) return; // answered too late: another assignment holds now
      if (remainingMs <= 0)
        for (const { topic, partition, offset } of facts.ends) ledger.setFreshFrom(topic, partition, offset);
      this.committed ||= facts.missingCommits.length === 0 || (await commit(facts.missingCommits));
    } catch (error) {
      logger.warn(
        { group, error: String(error) },
        'the ends of the assigned partitions could not be read; records ask Redis first',
      );
    }
    if (this.committed) onStartCommitted();
    if (this.committed && remainingMs <= 0) return;
    const againMs = this.committed ? remainingMs : LEARN_AGAIN_MS;
    setTimeout(() => void (of === this.assignments && this.ask(assignment, of, freshAt)), againMs).unref();
  }
}
