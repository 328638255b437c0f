import type { Consumer, ConsumerCrashEvent, ConsumerGroupJoinEvent, EachBatchPayload } from 'kafkajs';
import { systemClock, type Clock } from '@commservice/contracts';
import { TopicAdmin } from '../admin/topic-admin.js';
import type { FetchedRecord } from '../record.js';
import { Committer } from './committer.js';
import { toRecord } from './decode-record.js';
import { createMember, runMember } from './group-member.js';
import type { LaneConsumerOptions } from './lane-consumer-options.js';
import { Membership } from './membership.js';
import { PartitionLedger } from './partition-ledger.js';
import { assignmentFacts, checkStart, type StartCheck } from './start-offsets.js';
import { STALL_MS, Supervisor } from './supervisor.js';

export type LaneStart = { kind: 'started' } | { kind: 'refused'; reason: string };

const LEARN_AGAIN_MS = 500;

/**
 * One member of a consumer group that fetches for a lane and never waits for a send.
 *
 * States: NEW → STARTING → RUNNING ⇄ REJOINING → DRAINING → CLOSED; a supervisor starts it anew when kafkajs gave up.
 * The fetch loop only offers records to the sink and moves the fetch position; a caller settles records in any order, and
 * the committer sends the contiguous done-watermark of the partitions owned now. A new generation drops what waits in the
 * sink; a record settled before, in whatever generation, is recognised and not offered again.
 * Invariants: the committed offset never passes a record without a stored outcome; nothing thrown reaches kafkajs.
 * Callers: dispatch (lanes), status-projector, dlq-redrive.
 */
export class LaneConsumer {
  private readonly ledger = new PartitionLedger();
  private readonly clock: Clock;
  private readonly admin: TopicAdmin;
  private readonly committer: Committer;
  private readonly membership: Membership;
  private consumer: Consumer | undefined;
  private readonly supervisor: Supervisor;
  private state: 'new' | 'starting' | 'running' | 'rejoining' | 'draining' | 'closed' = 'new';
  private startCommitted = false;
  /** Generation of the last heartbeat answered while running. */
  private generation: number | undefined;
  private assignments = 0;
  private readonly paused = new Set<string>();
  private readonly partitionCounts = new Map<string, number>();

  constructor(private readonly options: LaneConsumerOptions) {
    this.clock = options.clock ?? systemClock;
    this.membership = new Membership(this.clock, options.timing.sessionMs);
    this.admin = new TopicAdmin({ kafka: options.kafka, logger: options.logger });
    this.supervisor = new Supervisor(options.group, () => this.rebuild(), this.clock, options.logger);
    this.committer = new Committer(this.ledger, options.timing.commitEveryMs, (points) =>
      this.commit(points),
    );
  }

  /** Joins the group. Resolves once kafkajs runs; `ready` turns true with the first assignment. */
  async start(): Promise<LaneStart> {
    this.state = 'starting';
    await this.admin.connect(STALL_MS);
    const check: StartCheck = this.options.initGroup
      ? { kind: 'ok' }
      : await checkStart(this.admin, this.options.group, this.options.topics);
    if (check.kind === 'refused') return check;
    for (const topic of this.options.topics)
      this.partitionCounts.set(topic, (await this.admin.ends(topic)).length);
    await this.build();
    this.supervisor.start();
    return { kind: 'started' };
  }

  /** Whether this member has an assignment, its start offsets are committed, and it fetches. */
  get ready(): boolean {
    return this.state === 'running' && this.startCommitted;
  }

  /**
   * Whether the partitions are certainly still ours: the last heartbeat that was answered left within the session. A
   * process that was frozen for longer must not start a send before it has rejoined.
   */
  ownershipFresh(): boolean {
    return this.state === 'running' && this.membership.fresh;
  }

  /** How many of a topic's partitions are ours, and of how many. */
  ownership(topic: string): { owned: number; all: number } {
    return { owned: this.ledger.ownedOf(topic), all: this.partitionCounts.get(topic) ?? 0 };
  }

  /** The record's outcome is stored outside the process: the watermark may pass it. */
  settle(record: Pick<FetchedRecord, 'topic' | 'partition' | 'offset'>): void {
    this.ledger.settle(record.topic, record.partition, record.offset);
  }

  /** The sink fell below low water: fetch again. */
  drained(topic: string): void {
    if (!this.paused.delete(topic)) return;
    this.resume(topic);
  }

  /** Records of a topic behind its end that have no committed outcome, over the partitions owned here. */
  lag(topic: string): number {
    return this.ledger.lag(topic);
  }

  /** Stops fetching, keeps ownership: what is in the air may still settle and be committed by `stop`. */
  stopFetching(): void {
    if (this.state === 'closed') return;
    this.state = 'draining';
    for (const topic of this.options.topics) this.consumer?.pause([{ topic }]);
  }

  /** Commits the watermark, leaves the group and closes; gives up after `deadlineMs`. */
  async stop(deadlineMs: number): Promise<void> {
    this.stopFetching();
    this.supervisor.stop();
    this.committer.stop();
    const close = async (): Promise<void> => {
      await this.committer.flush();
      this.state = 'closed';
      await this.consumer?.disconnect().catch(() => undefined);
      await this.admin.close();
    };
    await Promise.race([close(), new Promise((resolve) => setTimeout(resolve, deadlineMs).unref())]);
    this.state = 'closed';
  }

  private async build(): Promise<void> {
    const open = (): boolean => this.state !== 'draining' && this.state !== 'closed';
    const consumer = createMember(this.options, open);
    this.consumer = consumer;
    this.listen(consumer);
    await runMember(consumer, this.options.topics, (batch) => this.onBatch(batch));
  }

  private listen(consumer: Consumer): void {
    consumer.on(consumer.events.GROUP_JOIN, (event) => void this.onJoin(consumer, event));
    consumer.on(consumer.events.REBALANCING, () => this.onRebalancing());
    consumer.on(consumer.events.CRASH, (event) => this.onCrash(event));
    consumer.on(consumer.events.FETCH, () => this.supervisor.sign());
    // told right before what it meant: a heartbeat or a join
    consumer.on(consumer.events.REQUEST, ({ payload }) => this.membership.answered(payload));
    consumer.on(consumer.events.HEARTBEAT, ({ payload }) => this.onHeartbeat(payload.groupGenerationId));
  }

  /**
   * A join that failed (a coordinator still loading) is not repeated when the broker goes on counting us: kafkajs fetches
   * again and no GROUP_JOIN follows. Only in the generation we had is what we own still ours; in another one, joined but
   * not synced, we own nothing we know of.
   */
  private onHeartbeat(generation: number): void {
    this.supervisor.sign();
    this.membership.heartbeat();
    if (this.state === 'running') this.generation = generation;
    if (this.state !== 'rejoining') return;
    this.ledger.forgetFresh();
    if (generation === this.generation) this.state = 'running';
    else this.supervisor.lost();
  }

  private onBatch(payload: EachBatchPayload): void {
    const { batch } = payload;
    const { topic, partition } = batch;
    if (payload.isStale() || !payload.isRunning() || !this.ledger.owns(topic, partition)) return;
    const tracker = this.ledger.tracker(topic, partition);
    const freshFrom = this.ledger.freshFrom(topic, partition);
    const records: FetchedRecord[] = [];
    for (const message of batch.messages) {
      if (tracker.register(Number(message.offset)))
        records.push(toRecord(topic, partition, message, freshFrom));
    }
    tracker.registerEnd(Number(batch.lastOffset()) + 1);
    this.ledger.setEnd(topic, partition, Number(batch.highWatermark));
    payload.resolveOffset(batch.lastOffset());
    if (records.length > 0) this.options.sink.offer(records);
    if (this.options.sink.isFull(topic)) this.pause(topic);
  }

  private async onJoin(consumer: Consumer, event: ConsumerGroupJoinEvent): Promise<void> {
    if (consumer !== this.consumer || this.state === 'closed') return;
    const assignment = event.payload.memberAssignment;
    this.options.sink.dropAll();
    this.ledger.assign(assignment);
    this.membership.joined();
    this.supervisor.joined();
    this.generation = undefined;
    this.assignments++;
    if (this.state !== 'draining') {
      this.state = 'running';
      this.paused.clear();
      // nothing may be settled before the group has a commit on every partition it was given
      for (const topic of this.options.topics) {
        if (this.startCommitted) this.resume(topic);
        else this.pause(topic);
      }
    }
    this.committer.start();
    await this.learn(assignment, this.assignments);
  }

  private async learn(assignment: Readonly<Record<string, readonly number[]>>, of: number): Promise<void> {
    try {
      const facts = await assignmentFacts({ ...this.options, admin: this.admin }, assignment);
      if (of !== this.assignments) return; // answered too late: another assignment holds now
      for (const { topic, partition, offset } of facts.ends)
        this.ledger.setFreshFrom(topic, partition, offset);
      this.startCommitted ||= facts.missingCommits.length === 0 || (await this.commit(facts.missingCommits));
    } catch (error) {
      this.options.logger.warn(
        { group: this.options.group, error: String(error) },
        'the ends of the assigned partitions could not be read; records ask Redis first',
      );
    }
    if (this.startCommitted) return this.options.topics.forEach((topic) => this.drained(topic));
    setTimeout(() => void (of === this.assignments && this.learn(assignment, of)), LEARN_AGAIN_MS).unref();
  }

  private onRebalancing(): void {
    if (this.state === 'running') this.state = 'rejoining';
    void this.committer.flush();
  }

  private onCrash({ payload }: ConsumerCrashEvent): void {
    if (this.state === 'draining' || this.state === 'closed') return;
    this.state = 'rejoining';
    this.ledger.forgetFresh();
    this.supervisor.crashed(payload.error, payload.restart);
  }

  private async rebuild(): Promise<void> {
    const old = this.consumer;
    this.state = 'starting';
    this.consumer = undefined;
    void old?.disconnect().catch(() => undefined);
    await this.build();
  }

  private pause(topic: string): void {
    if (this.paused.has(topic)) return;
    this.paused.add(topic);
    this.consumer?.pause([{ topic }]);
  }

  private resume(topic: string): void {
    if (this.state === 'draining' || this.state === 'closed') return;
    this.consumer?.resume([{ topic }]);
  }

  private async commit(
    points: readonly { topic: string; partition: number; offset: number }[],
  ): Promise<boolean> {
    const consumer = this.consumer;
    const owned = points.filter((p) => this.ledger.owns(p.topic, p.partition));
    if (!consumer || owned.length === 0) return false;
    try {
      await consumer.commitOffsets(owned.map((p) => ({ ...p, offset: String(p.offset) })));
      return true;
    } catch (error) {
      this.options.onCommitError?.();
      this.options.logger.debug(
        { group: this.options.group, error: String(error) },
        'a commit was refused; it is repeated',
      );
      return false;
    }
  }
}
