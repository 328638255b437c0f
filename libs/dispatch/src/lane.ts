import { setTimeout as delay } from 'node:timers/promises';
import { laneGroup, laneName, retryGroup, type Lane as LaneId } from '@commservice/contracts';
import { DEFAULT_TIMING, LaneConsumer, timingOf, type LaneRunner } from '@commservice/kafka';
import type { LaneControls } from './controls/lane-controls.js';
import type { LaneItem } from './lane-item.js';
import { LaneMeters } from './lane-meters.js';
import { LaneQueue } from './lane-queue.js';
import type { LaneParts } from './lane-parts.js';
import { LaneSender } from './lane-sender.js';
import { SkippingStage } from './limits/skipping-stage.js';
import { sourcesOf, windowOf } from './lane-sizes.js';
import { LaneWorker } from './lane-worker.js';
import { OutcomeWriter } from './outcome-writer.js';
import { Settler } from './settler.js';
import { AdmitStep } from './steps/admit.js';
import { ClaimStage } from './steps/claim-stage.js';
import type { Verdict } from './steps/verdict.js';
import { WakeTimer } from './wake-timer.js';

const STOP_MS = 15_000;
const SETTLE_MS = 12_000;
/** Longest a stopping P1 lane keeps its partitions from others for calls in the air: codes wait there meanwhile. */
const P1_HAND_OVER_MS = 300;

/** One lane, assembled: consumer → queue → worker → provider. Started and stopped with the app by its LaneStrategy. */
export class DispatchLane implements LaneRunner {
  readonly name: string;
  private readonly laneName: string;
  readonly transport: symbol;
  readonly group: string;
  readonly topics: readonly string[];
  readonly sender: LaneSender;
  readonly meters: LaneMeters;
  readonly worker: LaneWorker;
  readonly consumer: LaneConsumer;
  readonly queue: LaneQueue;
  private readonly claims: ClaimStage;
  readonly skipping: SkippingStage;
  private readonly admit: AdmitStep;
  private stopped: Promise<void> | undefined;
  private refusal: string | undefined;

  constructor(private readonly parts: LaneParts) {
    const { lane, retry, clock, metrics, accounts } = parts;
    this.laneName = laneName(lane);
    this.name = `${this.laneName}${retry ? ':retry' : ''}`;
    this.transport = Symbol(this.name);
    this.group = retry ? retryGroup(lane) : laneGroup(lane);
    this.sender = new LaneSender(lane, accounts, parts);
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
    this.skipping = this.makeSkipping();
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
      routes: this.sender.routes,
      held: () => this.paused !== undefined,
      windowItems: () => windowOf(lane, this.sender.routes.at(0)),
    });
  }

  /** The lane this is, or belongs to. */
  get id(): LaneId {
    return this.parts.lane;
  }

  /** The order of an operator that holds the lane; a retry lane is held with its lane. */
  get paused(): ReturnType<LaneControls['pauseOf']> {
    return this.parts.controls.pauseOf(this.laneName);
  }

  get isRetry(): boolean {
    return this.parts.retry;
  }

  get accountName(): string {
    return this.sender.routes.at(0).name;
  }

  /** Why the lane is not ready, in a plain sentence; undefined when it is. */
  get notReady(): string | undefined {
    if (this.refusal) return this.refusal;
    if (this.admit.halted) return this.admit.halted;
    return this.consumer.ready ? undefined : `lane ${this.name} has not joined its consumer group`;
  }

  async start(handle: (slice: unknown) => Promise<unknown>): Promise<void> {
    const slot = handle as (slice: readonly LaneItem[]) => Promise<readonly Verdict[]>;
    this.worker.start(slot, this.sender.join(this.worker));
    const started = await this.consumer.start();
    if (started.kind === 'started') return;
    this.refusal = started.reason;
    throw new Error(started.reason);
  }

  /**
   * Stops fetching, settles what is in the air, commits, leaves. P1 leaves after 0.3 s at most and settles the rest then:
   * another pod is told of it by its claim. A second call waits for the first.
   */
  stop(): Promise<void> {
    this.stopped ??= this.stopNow();
    return this.stopped;
  }

  private async stopNow(): Promise<void> {
    this.consumer.stopFetching();
    const settled = this.worker.stop(SETTLE_MS);
    const hold = this.parts.lane.priority === 'P1' ? P1_HAND_OVER_MS : SETTLE_MS;
    await Promise.race([settled.catch(() => undefined), delay(hold, undefined, { ref: false })]);
    await this.consumer.stop(STOP_MS - SETTLE_MS);
    await settled;
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

  private makeSkipping(): SkippingStage {
    const { lane, retry, clock } = this.parts;
    const { limits } = this.sender.routes.at(0);
    if (!retry) limits.addLane({ ...lane, ownership: () => this.ownership() });
    return new SkippingStage({ limits, clock });
  }

  private makeAdmit(settler: Settler, pump: () => void): AdmitStep {
    const { keys, logger, clock } = this.parts;
    return new AdmitStep({
      queue: this.queue,
      keys,
      settler,
      logger,
      clock,
      skipping: this.skipping,
      onMore: pump,
      onLate: (item) => {
        this.claims.add([item]);
        pump();
      },
    });
  }

  private makeConsumer(): LaneConsumer {
    const { kafka, address, lane, retry, initGroup, logger, clock, metrics } = this.parts;
    const labels = { ...lane, group: this.group };
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
      // a code must not wait for a session to end
      address: lane.priority === 'P1' ? address : undefined,
      onCommitError: () => metrics.consumerCommits.add(1, { ...labels, result: 'failed' }),
      onGeneration: () => metrics.consumerRebalances.add(1, labels),
      onRebuild: () => metrics.consumerRebuilds.add(1, labels),
    });
  }
}
