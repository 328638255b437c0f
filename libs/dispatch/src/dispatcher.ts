import {
  laneGroup,
  laneName,
  lanesOf,
  perBrandOf,
  retryGroup,
  type Catalogue,
  type Lane,
  type Provider,
} from '@commservice/contracts';
import { TopicAdmin, waitForCoordinator } from '@commservice/kafka';
import type { ScopeMutex } from '@commservice/priority-mutex';
import type { AccountState } from './account/account-state.js';
import { followCatalogue } from './catalogue/follow-catalogue.js';
import { accountsOfLane } from './catalogue/lane-accounts.js';
import { clockFault } from './clock/clock-fault.js';
import { PlatformClock } from './clock/platform-clock.js';
import { ControlDesk } from './controls/control-desk.js';
import { followControls } from './controls/follow-controls.js';
import type { DispatcherOptions } from './dispatcher-options.js';
import { closeShared, openShared, type SharedParts } from './dispatcher-parts.js';
import { DispatchLane } from './lane.js';
import type { LaneAccount } from './lane-sender.js';
import { selectLanes } from './lane-selection.js';
import { laneView, modedScope, type LanesView } from './lanes-view.js';
import { OutcomeWriter } from './outcome-writer.js';
import { ReceiptIntake, receiptQuery } from './receipts/receipt-intake.js';

const START_MS = 60_000;

/**
 * One dispatcher process: its lanes and what they share. Made by `openDispatcher`; lanes are started and stopped with the
 * app by their strategies, the rest by `close`, which comes after every lane has stopped.
 */
export class Dispatcher {
  constructor(
    private readonly options: DispatcherOptions,
    readonly lanes: readonly DispatchLane[],
    readonly receipts: ReceiptIntake,
    readonly desk: ControlDesk,
    private readonly shared: SharedParts,
  ) {}

  /** Why the process is not ready, in plain sentences; empty = ready. Redis is not asked: P1 goes on without it. */
  notReady(): string[] {
    const missing = this.shared.keys.missing();
    const reasons = this.lanes.flatMap((lane) => lane.notReady ?? []);
    if (missing.length > 0) reasons.push(`data keys are missing: ${missing.join(', ')}`);
    const clock = clockFault(this.clockAheadMs, this.shared.clock.coordinatorAheadMs);
    return clock === undefined ? reasons : [...reasons, clock];
  }

  /** The catalogue in force: whose keys may give orders. */
  get catalogue(): Catalogue {
    return this.shared.live.current;
  }

  /** How far this machine's clock is ahead of the platform's, ms; what is sent goes by the platform's. */
  get clockAheadMs(): number {
    return this.shared.clock.aheadMs;
  }

  view(): LanesView {
    const { live, scopes, controls } = this.shared;
    return {
      pod: this.options.pod,
      lanes: this.lanes.map(laneView),
      scopes: [...scopes].map(([name, scope]) => modedScope(scope.view(), controls.modeOf(name))),
      catalogue: live.view,
      controlsAgeMs: Math.round(controls.ageMs),
    };
  }

  /** Closes what lanes shared. Their outcomes are stored by now: the producer outlives the consumers. */
  close(): Promise<void> {
    return closeShared(this.shared);
  }
}

/** Connects and assembles a dispatcher. Rejects when Kafka does not answer in time or `lanes` names none of its lanes. */
export async function openDispatcher(given: DispatcherOptions): Promise<Dispatcher> {
  const options = { ...given, clock: new PlatformClock(given.clock) };
  const { catalogue, channel } = options;
  const all = lanesOf(catalogue.brands, perBrandOf(catalogue), [channel]);
  const lanes = selectLanes(all, options.lanes);
  const shared = await openShared(options, lanes);
  await kafkaReady(options, lanes);
  const byAccount = new Map<string, Provider>();
  const made = lanes.flatMap((lane) => {
    const accounts = accountsOfLane(catalogue, lane).map((name): LaneAccount => {
      const provider = makeProvider(options, shared, lane, name);
      byAccount.set(name, provider);
      const account = shared.accounts.get(name) as AccountState;
      return { account, provider, scope: shared.scopes.get(name) as ScopeMutex };
    });
    return [false, true].map((retry) => makeLane(options, shared, lane, accounts, retry));
  });
  await Promise.all(shared.providers.map((p) => p.start()));
  followCatalogue({ ...shared, lanes: made });
  followControls({ ...shared, lanes: made });
  options.catalogueChanges?.onChange((next) => shared.live.take(next));
  return new Dispatcher(
    options,
    made,
    makeIntake(options, shared, byAccount),
    makeDesk(options, shared, all),
    shared,
  );
}

/** Topics answer and the coordinator knows the groups before any consumer starts (kafka-real Q5). */
async function kafkaReady(options: DispatcherOptions, lanes: readonly Lane[]): Promise<void> {
  const { kafka, logger } = options;
  const admin = new TopicAdmin({ kafka, logger });
  await admin.connect(START_MS);
  await admin.close();
  const groups = lanes.flatMap((lane) => [laneGroup(lane), retryGroup(lane)]);
  const silent = await waitForCoordinator({ kafka, groups, deadlineMs: START_MS, logger });
  if (silent.length > 0)
    throw new Error(`Kafka's group coordinator does not answer for ${silent.join(', ')}`);
}

function makeProvider(
  options: DispatcherOptions,
  shared: SharedParts,
  lane: Lane,
  account: string,
): Provider {
  const state = shared.accounts.get(account) as AccountState;
  const base = `${options.receiptBaseUrl}/receipts/${account}`;
  const provider = options.provider({
    account,
    pod: options.pod,
    priority: lane.priority,
    connections: state.connections,
    clock: options.clock,
    idempotency: state.account.idempotent ? 'key' : 'none',
    receiptUrl: (generation) => `${base}?${receiptQuery(lane.priority, generation)}`,
  });
  shared.providers.push(provider);
  return provider;
}

function makeLane(
  options: DispatcherOptions,
  shared: SharedParts,
  lane: Lane,
  accounts: readonly LaneAccount[],
  retry: boolean,
): DispatchLane {
  return new DispatchLane({
    ...options,
    ...shared,
    claims: shared.claims[lane.priority],
    reserveMs: () => shared.reserveMs(lane.priority),
    lane,
    retry,
    accounts,
    kafka: {
      ...options.kafka,
      clientId: `${options.pod}-${lane.brand ? `${lane.brand}-` : ''}${lane.priority}${retry ? '-retry' : ''}`,
    },
  });
}

/** Orders may be about any lane and account of the channel, also those that only other pods run. */
function makeDesk(options: DispatcherOptions, shared: SharedParts, all: readonly Lane[]): ControlDesk {
  const { catalogue, channel } = options;
  const scopes = Object.entries(catalogue.accounts).filter(([, account]) => account.channel === channel);
  return new ControlDesk({
    store: shared.orders,
    controls: shared.controls,
    catalogue: () => shared.live.current,
    lanes: all.map(laneName),
    scopes: scopes.map(([name]) => name),
  });
}

function makeIntake(
  options: DispatcherOptions,
  shared: SharedParts,
  providers: ReadonlyMap<string, Provider>,
): ReceiptIntake {
  const { clock, logger, metrics, build, channel } = options;
  const lane = { channel, priority: 'P1' } as const;
  const writer = new OutcomeWriter({
    lane,
    group: '',
    producer: shared.producer,
    claims: shared.claims.P1,
    build,
    clock,
    logger,
    metrics,
  });
  return new ReceiptIntake({
    providers,
    sent: shared.sent,
    publish: (event, signal) => writer.publish(event, signal),
    clock,
    metrics,
  });
}
