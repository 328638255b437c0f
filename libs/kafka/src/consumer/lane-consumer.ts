import type { Consumer, ConsumerCrashEvent, ConsumerGroupJoinEvent, EachBatchPayload } from 'kafkajs';
import { systemClock, type Clock } from '@commservice/contracts';
import { TopicAdmin } from '../admin/topic-admin.js';
import type { FetchedRecord } from '../record.js';
import { AssignmentLearner, HAND_OVER_MS } from './assignment-learner.js';
import { Committer } from './committer.js';
import { createMember, runMember } from './group-member.js';
import { GroupPeers } from './group-peers.js';
import { thisHost } from './host.js';
import type { LaneConsumerOptions } from './lane-consumer-options.js';
import type { MemberData } from './assigner/member-data.js';
import { Membership } from './membership.js';
import { PartitionLedger } from './partition-ledger.js';
import { checkStart, type StartCheck } from './start-offsets.js';
import { STALL_MS, Supervisor } from './supervisor.js';
import { takeBatch } from './take-batch.js';
import { TopicFlow } from './topic-flow.js';

export type LaneStart = { kind: 'started' } | { kind: 'refused'; reason: string };

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
  private readonly learner: AssignmentLearner;
  private readonly peers: GroupPeers;
  private readonly flow: TopicFlow;
  private readonly supervisor: Supervisor;
  private readonly host = thisHost();
  private consumer: Consumer | undefined;
  private state: 'new' | 'starting' | 'running' | 'rejoining' | 'draining' | 'closed' = 'new';
  /** Generation of the last heartbeat answered while running. */
  private generation: number | undefined;
  private readonly partitionCounts = new Map<string, number>();

  constructor(private readonly options: LaneConsumerOptions) {
    const { clock = systemClock, group, kafka, logger, timing, topics } = options;
    this.clock = clock;
    this.membership = new Membership(clock, timing.sessionMs);
    this.admin = new TopicAdmin({ kafka, logger });
    this.flow = new TopicFlow(topics);
    this.peers = new GroupPeers(options, this.admin);
    this.supervisor = new Supervisor(group, () => this.rebuild(), clock, logger);
    this.committer = new Committer(options, this.ledger, () => this.consumer);
    this.learner = new AssignmentLearner({
      group,
      logger,
      commit: (points) => this.committer.commit(points),
      admin: this.admin,
      clock,
      handOverMs: options.address === undefined ? 0 : HAND_OVER_MS,
      ledger: this.ledger,
      onStartCommitted: () => topics.forEach((topic) => this.flow.resume(topic)),
    });
  }

  /** Joins the group. Resolves once kafkajs runs, or when stopped meanwhile; `ready` turns true with the first assignment. */
  async start(): Promise<LaneStart> {
    this.state = 'starting';
    await this.admin.connect(STALL_MS);
    const check: StartCheck = this.options.initGroup
      ? { kind: 'ok' }
      : await checkStart(this.admin, this.options.group, this.options.topics);
    if (check.kind === 'refused') return check;
    for (const topic of this.options.topics)
      this.partitionCounts.set(topic, (await this.admin.ends(topic)).length);
    if (!this.stopping) await this.build();
    else await this.admin.close(); // connected after `stop` closed it
    if (!this.stopping) this.supervisor.start();
    return { kind: 'started' };
  }

  /** Whether this member has an assignment, its start offsets are committed, and it fetches. */
  get ready(): boolean {
    return this.state === 'running' && this.learner.startCommitted;
  }

  /**
   * Whether the partitions are certainly still ours: the last heartbeat that was answered left within the session. A
   * process that was frozen for longer must not start a send before it has rejoined. While a group waits for its members
   * to join again everything is still whose it was: what was fetched is sent.
   */
  ownershipFresh(): boolean {
    return (this.state === 'running' || this.state === 'rejoining') && this.membership.fresh;
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
    this.flow.resume(topic);
  }

  /** Records of a topic behind its end that have no committed outcome, over the partitions owned here. */
  lag(topic: string): number {
    return this.ledger.lag(topic);
  }

  /** Stops fetching, keeps ownership: what is in the air may still settle and be committed by `stop`. */
  stopFetching(): void {
    if (this.state === 'closed') return;
    this.state = 'draining';
    this.flow.stop();
  }

  /** Commits the watermark, leaves the group and closes; gives up after `deadlineMs`. */
  async stop(deadlineMs: number): Promise<void> {
    this.stopFetching();
    this.supervisor.stop();
    this.committer.stop();
    this.peers.stop();
    const close = async (): Promise<void> => {
      await this.committer.flush();
      this.state = 'closed';
      await this.consumer?.disconnect().catch(() => undefined);
      await this.admin.close();
    };
    await Promise.race([close(), new Promise((resolve) => setTimeout(resolve, deadlineMs).unref())]);
    this.state = 'closed';
  }

  private get stopping(): boolean {
    return this.state === 'draining' || this.state === 'closed';
  }

  private async build(): Promise<void> {
    const mayRestart = (): boolean => !this.stopping;
    const consumer = createMember(this.options, () => this.joining(), mayRestart);
    this.consumer = consumer;
    this.flow.use(consumer);
    this.listen(consumer);
    await runMember(consumer, this.options.topics, (batch) => this.onBatch(batch));
    // closed before it ran: nobody else would take it out
    if (this.state === 'closed') await consumer.disconnect().catch(() => undefined);
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
    if (generation !== this.generation) return this.supervisor.lost();
    this.state = 'running';
    this.membership.unchanged();
    this.committer.start();
  }

  /** Asked right before a join is sent. One that no rebalance led to means that the broker no longer knows us. */
  private joining(): MemberData {
    if (this.state === 'running') {
      this.state = 'rejoining';
      this.membership.lost();
      this.ledger.forgetFresh();
    }
    const { generation = -1 } = this;
    return { owned: this.ledger.assignment, generation, address: this.options.address, host: this.host };
  }

  private onBatch(payload: EachBatchPayload): void {
    const { batch } = payload;
    const { topic, partition } = batch;
    if (payload.isStale() || !payload.isRunning() || !this.ledger.owns(topic, partition)) return;
    const records = takeBatch(this.ledger, batch);
    payload.resolveOffset(batch.lastOffset());
    if (records.length > 0) this.options.sink.offer(records);
    if (this.options.sink.isFull(topic)) this.flow.pause(topic);
  }

  private async onJoin(consumer: Consumer, { payload }: ConsumerGroupJoinEvent): Promise<void> {
    if (consumer !== this.consumer || this.state === 'closed') return;
    this.options.sink.dropAll();
    this.ledger.assign(payload.memberAssignment);
    this.membership.joined();
    this.supervisor.joined();
    this.generation = undefined;
    if (this.state !== 'draining') this.state = 'running';
    // nothing may be settled before the group has a commit on every partition it was given
    this.flow.begin(this.learner.startCommitted);
    this.committer.start();
    this.options.onGeneration?.();
    await Promise.all([this.learner.learn(payload.memberAssignment), this.peers.assigned(payload.memberId)]);
  }

  /**
   * Commits once more. What would be sent after the join could be stored under a generation that it is not of. We may have
   * been taken out: what waits, and what is still fetched, asks Redis first.
   */
  private onRebalancing(): void {
    if (this.state === 'running') this.state = 'rejoining';
    this.ledger.forgetFresh();
    void this.committer.flush();
    this.committer.stop();
  }

  private onCrash({ payload }: ConsumerCrashEvent): void {
    if (this.stopping) return;
    this.state = 'rejoining';
    this.membership.lost();
    this.ledger.forgetFresh();
    this.supervisor.crashed(payload.error, payload.restart);
  }

  private async rebuild(): Promise<void> {
    if (this.stopping) return;
    const old = this.consumer;
    this.state = 'starting';
    this.consumer = undefined;
    this.flow.use(undefined);
    this.options.onRebuild?.();
    void old?.disconnect().catch(() => undefined);
    await this.build();
  }
}
