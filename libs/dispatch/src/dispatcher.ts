import { randomUUID } from 'node:crypto';
import { LocalClaims, RedisClaimStore } from '@commservice/batch-safety';
import {
  accountOf,
  laneGroup,
  lanesOf,
  mutexModeOf,
  perBrandOf,
  retryGroup,
  type Catalogue,
  type Channel,
  type Clock,
  type Lane as LaneId,
  type Priority,
  type Provider,
} from '@commservice/contracts';
import { RecordProducer, TopicAdmin, waitForCoordinator, type KafkaOptions } from '@commservice/kafka';
import { Postgres, PostgresKeyRing } from '@commservice/postgres';
import { RedisCoordinator, ScopeMutex } from '@commservice/priority-mutex';
import { EdgeBus, RedisConnection } from '@commservice/redis';
import type { Logger, Metrics } from '@commservice/telemetry';
import { AccountState } from './account/account-state.js';
import { DispatchLane } from './lane.js';
import { laneView, type LanesView } from './lanes-view.js';
import { selectLanes } from './lane-selection.js';
import { OutcomeWriter } from './outcome-writer.js';
import { ReceiptIntake, receiptQuery } from './receipts/receipt-intake.js';
import { SentIndex } from './receipts/sent-index.js';

/** Everything a dispatcher is told. A dispatcher app holds nothing else. */
export interface DispatcherOptions {
  readonly channel: Channel;
  /** Name of this process, unique among its kind. */
  readonly pod: string;
  readonly build: string;
  readonly kafka: KafkaOptions;
  readonly redis: { readonly url: string; readonly keyPrefix: string };
  readonly databaseUrl: string;
  readonly masterKey: Buffer;
  readonly catalogue: Catalogue;
  /** Lanes to run (`sms:P1`, `push.alfa:P3`); empty = all of the channel. */
  readonly lanes: readonly string[];
  /** Base of the URL that providers post receipts to. */
  readonly receiptBaseUrl: string;
  /** Read topics that hold records although the group has no commit. */
  readonly initGroup: boolean;
  /** Makes the provider connection of one account and lane: lanes share no connection pool. */
  readonly provider: (wanted: ProviderRequest) => Provider;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface ProviderRequest {
  readonly account: string;
  readonly pod: string;
  readonly priority: Priority;
  /** Most calls in the air of this lane. */
  readonly connections: number;
  /** Whether the vendor recognises a repeated send by its key. */
  readonly idempotency: 'key' | 'none';
  /** Where receipts of messages of this redrive generation go. */
  readonly receiptUrl: (generation: number) => string;
}

const START_MS = 60_000;
const CLOSE_MS = 3_000;

/**
 * One dispatcher process: its lanes and what they share. Made by `openDispatcher`; lanes are started and stopped with the
 * app by their strategies, the rest by `close`, which comes after every lane has stopped.
 */
export class Dispatcher {
  constructor(
    private readonly options: DispatcherOptions,
    readonly lanes: readonly DispatchLane[],
    readonly receipts: ReceiptIntake,
    private readonly shared: SharedParts,
  ) {}

  /** Why the process is not ready, in plain sentences; empty = ready. Redis is not asked: P1 goes on without it. */
  notReady(): string[] {
    const missing = this.shared.keys.missing();
    const reasons = this.lanes.flatMap((lane) => lane.notReady ?? []);
    return missing.length > 0 ? [...reasons, `data keys are missing: ${missing.join(', ')}`] : reasons;
  }

  view(): LanesView {
    return {
      pod: this.options.pod,
      lanes: this.lanes.map(laneView),
      scopes: [...this.shared.scopes.values()].map((scope) => scope.view()),
    };
  }

  /** Closes what lanes shared. Their outcomes are stored by now: the producer outlives the consumers. */
  async close(): Promise<void> {
    const { scopes, providers, producer, claims, redis, bus, keys, postgres } = this.shared;
    await Promise.allSettled([...scopes.values()].map((scope) => scope.stop()));
    await claims.flush(CLOSE_MS);
    await Promise.allSettled([...providers.map((p) => p.drain(CLOSE_MS)), producer.close(CLOSE_MS)]);
    keys.stop();
    await Promise.allSettled([redis.close(CLOSE_MS), bus.close(CLOSE_MS), postgres.close(CLOSE_MS)]);
  }
}

interface SharedParts {
  readonly producer: RecordProducer;
  readonly redis: RedisConnection;
  readonly bus: EdgeBus;
  readonly postgres: Postgres;
  readonly keys: PostgresKeyRing;
  readonly claims: LocalClaims;
  readonly reserveMs: number;
  readonly sent: SentIndex;
  readonly accounts: ReadonlyMap<string, AccountState>;
  readonly scopes: ReadonlyMap<string, ScopeMutex>;
  readonly providers: Provider[];
}

/** Connects and assembles a dispatcher. Rejects when Kafka does not answer in time or `lanes` names none of its lanes. */
export async function openDispatcher(options: DispatcherOptions): Promise<Dispatcher> {
  const { catalogue, channel } = options;
  const all = lanesOf(catalogue.brands, perBrandOf(catalogue), [channel]);
  const lanes = selectLanes(all, options.lanes);
  const shared = await openShared(options, lanes);
  await kafkaReady(options, lanes);
  const byAccount = new Map<string, Provider>();
  const made = lanes.flatMap((lane) => {
    const account = accountOfLane(catalogue, lane);
    const provider = makeProvider(options, shared, lane, account);
    byAccount.set(account, provider);
    return [false, true].map((retry) => makeLane(options, shared, lane, account, provider, retry));
  });
  await Promise.all(shared.providers.map((p) => p.start()));
  return new Dispatcher(options, made, makeIntake(options, shared, byAccount), shared);
}

/** All brands of a lane without a brand go to one account: the catalogue sees to it. */
function accountOfLane(catalogue: Catalogue, lane: LaneId): string {
  const account = accountOf(catalogue, lane.channel, lane.brand ?? (catalogue.brands[0] as string));
  if (account === undefined)
    throw new Error(`the catalogue routes ${lane.channel} of brand ${lane.brand ?? 'any'} nowhere`);
  return account;
}

async function openShared(options: DispatcherOptions, lanes: readonly LaneId[]): Promise<SharedParts> {
  const { clock, logger, metrics, catalogue, kafka, pod } = options;
  const names = [...new Set(lanes.map((lane) => accountOfLane(catalogue, lane)))];
  const accounts = new Map(
    names.map((name) => [name, new AccountState(name, catalogue.accounts[name] as never, clock)]),
  );
  const reserveMs =
    2 * Math.max(...[...accounts.values()].map((a) => Math.max(...Object.values(a.account.timeoutMs))));
  const redis = new RedisConnection({ ...options.redis, name: `${pod}-coordination`, logger });
  const bus = new EdgeBus({ ...options.redis, name: `${pod}-edges`, logger });
  const postgres = new Postgres({
    connectionString: options.databaseUrl,
    max: 2,
    statementTimeoutMs: 5_000,
    logger,
  });
  const keys = new PostgresKeyRing({
    postgres,
    masterKey: options.masterKey,
    brands: catalogue.brands,
    logger,
    clock,
  });
  const producer = new RecordProducer({
    kafka: { ...kafka, clientId: `${pod}-outcomes` },
    logger,
    clock,
    requestTimeoutMs: 10_000,
  });
  const store = new RedisClaimStore({ redis });
  const claims = new LocalClaims({ store, owner: `${pod}:${randomUUID()}`, reserveMs, clock });
  bus.start();
  await Promise.all([redis.start(2_000), keys.start(), producer.connect([], START_MS)]);
  const coordinator = new RedisCoordinator(redis, bus);
  const scopes = new Map(
    names.map((scope) => {
      const mutex = new ScopeMutex({
        scope,
        pod,
        ratePerSecond: (catalogue.accounts[scope] as { ratePerSecond: number }).ratePerSecond,
        shares: catalogue.classShares,
        mode: mutexModeOf(catalogue, scope),
        catalogueVersion: catalogue.version,
        coordinator,
        clock,
        logger,
        metrics,
      });
      mutex.start();
      return [scope, mutex];
    }),
  );
  return {
    producer,
    redis,
    bus,
    postgres,
    keys,
    claims,
    reserveMs,
    sent: new SentIndex(),
    accounts,
    scopes,
    providers: [],
  };
}

/** Topics answer and the coordinator knows the groups before any consumer starts (kafka-real Q5). */
async function kafkaReady(options: DispatcherOptions, lanes: readonly LaneId[]): Promise<void> {
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
  lane: LaneId,
  account: string,
): Provider {
  const state = shared.accounts.get(account) as AccountState;
  const base = `${options.receiptBaseUrl}/receipts/${account}`;
  const provider = options.provider({
    account,
    pod: options.pod,
    priority: lane.priority,
    connections: Math.max(1, Math.floor(state.account.inFlight / 2)),
    idempotency: state.account.idempotent ? 'key' : 'none',
    receiptUrl: (generation) => `${base}?${receiptQuery(lane.priority, generation)}`,
  });
  shared.providers.push(provider);
  return provider;
}

function makeLane(
  options: DispatcherOptions,
  shared: SharedParts,
  lane: LaneId,
  account: string,
  provider: Provider,
  retry: boolean,
): DispatchLane {
  return new DispatchLane({
    ...options,
    ...shared,
    lane,
    retry,
    provider,
    account: shared.accounts.get(account) as AccountState,
    scope: shared.scopes.get(account) as ScopeMutex,
    kafka: {
      ...options.kafka,
      clientId: `${options.pod}-${lane.brand ? `${lane.brand}-` : ''}${lane.priority}${retry ? '-retry' : ''}`,
    },
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
    claims: shared.claims,
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
