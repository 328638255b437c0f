import type { LocalClaims } from '@commservice/batch-safety';
import {
  laneGroup,
  laneName,
  retryGroup,
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
import { LaneQueue } from './lane-queue.js';
import { sourcesOf, windowOf } from './lane-sizes.js';
import { LaneWorker } from './lane-worker.js';
import { OutcomeWriter } from './outcome-writer.js';
import type { SentIndex } from './receipts/sent-index.js';
import { Settler } from './settler.js';
import { AdmitStep, type Keys } from './steps/admit.js';
import { ClaimStage } from './steps/claim-stage.js';
import { SendStep, type SendStepOptions } from './steps/send.js';
import type { Verdict } from './steps/verdict.js';
import { WakeTimer } from './wake-timer.js';

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
  private readonly claims: ClaimStage;
  private readonly admit: AdmitStep;
  private seat: Seat | undefined;
  private stopped: Promise<void> | undefined;
  private refusal: string | undefined;

  constructor(private readonly parts: LaneParts) {
    const { lane, retry, clock, metrics, account } = parts;
    this.name = `${laneName(lane)}${retry ? ':retry' : ''}`;
    this.transport = Symbol(this.name);
    this.group = retry ? retryGroup(lane) : laneGroup(lane);
    const sources = sourcesOf(lane, retry, clock);
    this.topics = sources.map((s) => s.topic);
    this.meters = new LaneMeters(lane, retry, metrics, clock, () => this.ownership());
    const pump = (): void => this.worker.pump();
    this.queue = new LaneQueue(sources, clock, {
      onOffer: pump,
      onDrained: (topic) => this.consumer.drained(topic),
      onDropped: () => {
        this.admit.forget();
        this.claims.clear();
      },
    });
    this.consumer = this.makeConsumer();
    const settler = new Settler(this.makeWriter(), this.consumer, pump);
    this.claims = this.makeClaims(settler, pump);
    this.admit = this.makeAdmit(settler, pump);
    this.worker = new LaneWorker({
      ...parts,
      queue: this.queue,
      admit: this.admit,
      claims: this.claims,
      consumer: this.consumer,
      settler,
      meters: this.meters,
      timer: new WakeTimer(clock, pump),
      windowItems: windowOf(lane, account),
    });
    const onAccountTrouble: SendStepOptions['onAccountTrouble'] = (why, until) =>
      this.seat?.pressAccount(why, until);
    this.send = new SendStep({ ...parts, onAccountTrouble });
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
    if (this.admit.halted) return this.admit.halted;
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

  /** Stops fetching, settles what is in the air, commits, leaves. A second call waits for the first. */
  stop(): Promise<void> {
    this.stopped ??= this.stopNow();
    return this.stopped;
  }

  private async stopNow(): Promise<void> {
    this.consumer.stopFetching();
    await this.worker.stop(SETTLE_MS);
    await this.consumer.stop(STOP_MS - SETTLE_MS);
  }

  private ownership(): number {
    const { owned, all } = this.consumer.ownership(this.topics[0] as string);
    return all === 0 ? 0 : owned / all;
  }

  private makeWriter(): OutcomeWriter {
    return new OutcomeWriter({ ...this.parts, group: this.group });
  }

  private makeClaims(settler: Settler, onReady: () => void): ClaimStage {
    const { lane, claims, clock, reserveMs } = this.parts;
    const onDuplicate = (item: LaneItem): void => settler.store(item, { kind: 'duplicate' });
    return new ClaimStage({ priority: lane.priority, claims, clock, reserveMs, onDuplicate, onReady });
  }

  private makeAdmit(settler: Settler, pump: () => void): AdmitStep {
    const { keys, logger, clock } = this.parts;
    return new AdmitStep({
      queue: this.queue,
      keys,
      settler,
      logger,
      clock,
      onLate: (item) => {
        this.claims.add([item]);
        pump();
      },
    });
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
