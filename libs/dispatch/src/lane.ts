import { BoundedQueue, type LocalClaims } from '@commservice/batch-safety';
import {
  RETRY_TIERS,
  SLICE_LIMIT,
  laneGroup,
  laneName,
  laneTopic,
  retryGroup,
  retryTopic,
  type Clock,
  type Lane as LaneId,
  type Provider,
} from '@commservice/contracts';
import {
  DEFAULT_TIMING,
  LaneConsumer,
  timingOf,
  type KafkaOptions,
  type LaneRunner,
  type RecordProducer,
} from '@commservice/kafka';
import type { ScopeMutex, Seat } from '@commservice/priority-mutex';
import type { Logger, Metrics } from '@commservice/telemetry';
import type { AccountState } from './account/account-state.js';
import type { LaneItem } from './lane-item.js';
import { LaneMeters } from './lane-meters.js';
import { LaneQueue, type LaneSource } from './lane-queue.js';
import { LaneWorker, type Keys } from './lane-worker.js';
import { OutcomeWriter } from './outcome-writer.js';
import type { SentIndex } from './receipts/sent-index.js';
import { ClaimStage } from './steps/claim-stage.js';
import { SendStep } from './steps/send.js';
import type { Verdict } from './steps/verdict.js';

/** What one lane is made of. Everything that lanes must not share is made inside. */
export interface LaneParts {
  readonly lane: LaneId;
  /** The lane's retry topics instead of its main topic: a lane of its own, with its own group, client, queue and slots. */
  readonly retry: boolean;
  readonly kafka: KafkaOptions;
  readonly initGroup: boolean;
  readonly account: AccountState;
  readonly scope: ScopeMutex;
  readonly provider: Provider;
  readonly claims: LocalClaims;
  readonly reserveMs: number;
  readonly keys: Keys;
  readonly producer: RecordProducer;
  readonly sent: SentIndex;
  readonly build: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const MIB = 1024 * 1024;
/** Waiting records of one topic: enough for some seconds at full rate, little enough to drop at a rebalance. */
const QUEUE_ITEMS = { P1: 2_000, P2: 2_000, P3: 5_000 } as const;
const QUEUE_BYTES = 16 * MIB;
/** Seconds of the account's rate that are claimed ahead of their tokens. */
const CLAIM_AHEAD_S = 0.2;
const P1_WINDOW = 64;
const STOP_MS = 15_000;
const SETTLE_MS = 12_000;

/** One lane, assembled: consumer → queue → worker → provider. Started and stopped with the app by its LaneStrategy. */
export class DispatchLane implements LaneRunner {
  readonly name: string;
  readonly transport: symbol;
  readonly group: string;
  readonly topics: readonly string[];
  readonly send: SendStep;
  readonly meters: LaneMeters;
  readonly worker: LaneWorker;
  readonly consumer: LaneConsumer;
  readonly queue: LaneQueue;
  private seat: Seat | undefined;
  private refusal: string | undefined;

  constructor(private readonly parts: LaneParts) {
    const { lane, retry, clock, logger, metrics, account } = parts;
    this.name = `${laneName(lane)}${retry ? ':retry' : ''}`;
    this.transport = Symbol(this.name);
    this.group = retry ? retryGroup(lane) : laneGroup(lane);
    const sources = sourcesOf(lane, retry, clock);
    this.topics = sources.map((s) => s.topic);
    this.meters = new LaneMeters(lane, retry, metrics, clock, () => this.ownership());
    this.queue = new LaneQueue(
      sources,
      clock,
      () => this.worker.pump(),
      (t) => this.consumer.drained(t),
      () => this.worker.dropTaken(),
    );
    this.consumer = this.makeConsumer();
    const { claims, producer, build, keys, reserveMs, provider, sent } = parts;
    this.worker = new LaneWorker({
      lane,
      queue: this.queue,
      claims: new ClaimStage({
        priority: lane.priority,
        claims,
        clock,
        reserveMs,
        onDuplicate: (item) => this.worker.duplicate(item),
        onReady: () => this.worker.pump(),
      }),
      consumer: this.consumer,
      account,
      keys,
      writer: new OutcomeWriter({ lane, group: this.group, producer, claims, build, clock, logger, metrics }),
      meters: this.meters,
      clock,
      logger,
      windowItems: windowOf(lane, account),
    });
    this.send = new SendStep({
      lane,
      provider,
      account,
      sent,
      clock,
      logger,
      metrics,
      onAccountTrouble: (reason, until) => this.seat?.pressAccount(reason, until),
    });
  }

  /** The lane this is, or belongs to. */
  get id(): LaneId {
    return this.parts.lane;
  }

  get isRetry(): boolean {
    return this.parts.retry;
  }

  get accountName(): string {
    return this.parts.account.name;
  }

  /** Why the lane is not ready, in a plain sentence; undefined when it is. */
  get notReady(): string | undefined {
    if (this.refusal) return this.refusal;
    if (this.worker.halted) return this.worker.halted;
    return this.consumer.ready ? undefined : `lane ${this.name} has not joined its consumer group`;
  }

  async start(handle: (slice: unknown) => Promise<unknown>): Promise<void> {
    this.seat = this.parts.scope.join(this.parts.lane.priority, this.worker);
    this.worker.start(handle as (slice: readonly LaneItem[]) => Promise<readonly Verdict[]>, this.seat);
    const started = await this.consumer.start();
    if (started.kind === 'started') return;
    this.refusal = started.reason;
    throw new Error(started.reason);
  }

  async stop(): Promise<void> {
    this.consumer.stopFetching();
    await this.worker.stop(SETTLE_MS);
    await this.consumer.stop(STOP_MS - SETTLE_MS);
  }

  private ownership(): number {
    const { owned, all } = this.consumer.ownership(this.topics[0] as string);
    return all === 0 ? 0 : owned / all;
  }

  private makeConsumer(): LaneConsumer {
    const { kafka, lane, retry, initGroup, logger, clock, metrics } = this.parts;
    return new LaneConsumer({
      kafka,
      group: this.group,
      topics: this.topics,
      // what waits for seconds in a tier needs no quick fetch: retry lanes are idle most of the time
      timing: retry ? DEFAULT_TIMING : timingOf(lane.priority),
      sink: this.queue,
      logger,
      clock,
      initGroup,
      onCommitError: () => metrics.consumerCommits.add(1, { ...lane, group: this.group, result: 'failed' }),
    });
  }
}

function sourcesOf(lane: LaneId, retry: boolean, clock: Clock): LaneSource[] {
  const source = (topic: string, delayMs: number): LaneSource => ({
    topic,
    delayMs,
    queue: new BoundedQueue(
      { capacity: { items: QUEUE_ITEMS[lane.priority], bytes: QUEUE_BYTES }, onFull: 'block' },
      (w) => w.record.bytes,
      clock,
    ),
  });
  if (!retry) return [source(laneTopic(lane), 0)];
  return RETRY_TIERS[lane.priority].map((t) => source(retryTopic(lane, t.name), t.delayMs));
}

function windowOf(lane: LaneId, account: AccountState): number {
  if (lane.priority === 'P1') return P1_WINDOW;
  const ahead = Math.ceil(account.account.ratePerSecond * CLAIM_AHEAD_S);
  return Math.max(1, Math.min(SLICE_LIMIT[lane.priority], ahead));
}
