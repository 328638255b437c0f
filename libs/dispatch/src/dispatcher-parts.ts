import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { LocalClaims, RedisClaimStore } from '@commservice/batch-safety';
import { PRIORITIES, type Account, type Lane, type Priority, type Provider } from '@commservice/contracts';
import { RecordProducer } from '@commservice/kafka';
import { LaneControlStore, Postgres, PostgresKeyRing } from '@commservice/postgres';
import { RedisCoordinator, ScopeMutex, type Coordinator } from '@commservice/priority-mutex';
import { EdgeBus, RedisConnection } from '@commservice/redis';
import { AccountState } from './account/account-state.js';
import { accountsOfLane } from './catalogue/lane-accounts.js';
import { LiveCatalogue } from './catalogue/live-catalogue.js';
import { modeInForce } from './controls/follow-controls.js';
import { LaneControls } from './controls/lane-controls.js';
import type { PlatformClock } from './clock/platform-clock.js';
import { timedCoordinator } from './clock/timed-coordinator.js';
import type { DispatcherOptions } from './dispatcher-options.js';
import { SentIndex } from './receipts/sent-index.js';

const CONNECT_MS = 60_000;
const CLOSE_MS = 3_000;
const KEYS_AGAIN_MS = 500;

/** What the process was told, with the clock that the coordinator corrects. */
export type TimedOptions = DispatcherOptions & { readonly clock: PlatformClock };

/** What the lanes of one process share; everything else is each lane's own. */
export interface SharedParts {
  readonly clock: PlatformClock;
  readonly producer: RecordProducer;
  readonly redis: RedisConnection;
  readonly bus: EdgeBus;
  readonly postgres: Postgres;
  readonly keys: PostgresKeyRing;
  /** The catalogue in force; what lanes are built from is the one at start. */
  readonly live: LiveCatalogue;
  /** Orders of operators: read by every lane, written by ControlDesk. */
  readonly orders: LaneControlStore;
  readonly controls: LaneControls;
  /** One a class: how long a reservation holds follows the class's slowest call. */
  readonly claims: Readonly<Record<Priority, LocalClaims>>;
  /** How long a reservation made now holds, ms: it follows the timeouts of the catalogue. */
  readonly reserveMs: (priority: Priority) => number;
  readonly sent: SentIndex;
  readonly accounts: ReadonlyMap<string, AccountState>;
  readonly scopes: ReadonlyMap<string, ScopeMutex>;
  readonly providers: Provider[];
}

/** Connects what the lanes share. Redis may be away; Kafka, the data keys and what operators ordered may not. */
export async function openShared(options: TimedOptions, lanes: readonly Lane[]): Promise<SharedParts> {
  const { clock, logger, catalogue, kafka, pod } = options;
  const names = [...new Set(lanes.flatMap((lane) => accountsOfLane(catalogue, lane)))];
  const accounts = new Map(
    names.map((name) => [name, new AccountState(name, catalogue.accounts[name] as Account, clock)]),
  );
  const redis = new RedisConnection({ ...options.redis, name: `${pod}-coordination`, logger });
  const bus = new EdgeBus({ ...options.redis, name: `${pod}-edges`, logger });
  const connectionString = options.databaseUrl;
  const postgres = new Postgres({ connectionString, max: 2, statementTimeoutMs: 5_000, logger });
  const { masterKey } = options;
  const keys = new PostgresKeyRing({ postgres, masterKey, brands: catalogue.brands, logger, clock });
  const orders = new LaneControlStore(postgres);
  const controls = new LaneControls({ store: orders, logger, clock });
  const producer = new RecordProducer({
    kafka: { ...kafka, clientId: `${pod}-outcomes` },
    logger,
    clock,
    requestTimeoutMs: 10_000,
  });
  bus.start();
  const tables = Promise.all([untilReady(keys), controls.start(CONNECT_MS)]);
  await Promise.all([redis.start(2_000), tables, producer.connect([], CONNECT_MS)]);
  const coordinator = timedCoordinator(new RedisCoordinator(redis, bus), clock);
  const scopes = new Map(names.map((scope) => [scope, startScope(options, scope, coordinator, controls)]));
  const reserveMs = (p: Priority): number =>
    2 * Math.max(...[...accounts.values()].map((a) => a.account.timeoutMs[p]));
  const store = new RedisClaimStore({ redis });
  const owner = `${pod}:${randomUUID()}`;
  const claims = byClass((p) => new LocalClaims({ store, owner, clock, reserveMs: () => reserveMs(p) }));
  const live = new LiveCatalogue(catalogue, options.channel, logger);
  const rest = { live, sent: new SentIndex(), accounts, scopes, providers: [] };
  return { clock, producer, redis, bus, postgres, keys, orders, controls, claims, reserveMs, ...rest };
}

/** Lanes start only with the data keys: without them every record would look as if its key were gone. */
async function untilReady(keys: PostgresKeyRing): Promise<void> {
  const endAt = performance.now() + CONNECT_MS;
  await keys.start();
  while (!keys.ready) {
    if (performance.now() > endAt) throw new Error(`data keys are missing: ${keys.missing().join(', ')}`);
    await delay(KEYS_AGAIN_MS);
    await keys.refresh();
  }
}

/** Closes what the lanes shared, after every lane has stopped: the producer outlives the consumers. */
export async function closeShared(shared: SharedParts): Promise<void> {
  const { scopes, providers, producer, claims, redis, bus, keys, controls, postgres } = shared;
  await Promise.allSettled([...scopes.values()].map((scope) => scope.stop()));
  await Promise.all(PRIORITIES.map((p) => claims[p].flush(CLOSE_MS)));
  await Promise.allSettled([...providers.map((p) => p.drain(CLOSE_MS)), producer.close(CLOSE_MS)]);
  keys.stop();
  controls.stop();
  await Promise.allSettled([redis.close(CLOSE_MS), bus.close(CLOSE_MS), postgres.close(CLOSE_MS)]);
}

function startScope(
  options: DispatcherOptions,
  scope: string,
  coordinator: Coordinator,
  controls: LaneControls,
): ScopeMutex {
  const { catalogue, clock, logger, metrics, pod } = options;
  const mutex = new ScopeMutex({
    scope,
    pod,
    ratePerSecond: (catalogue.accounts[scope] as Account).ratePerSecond,
    shares: catalogue.classShares,
    mode: modeInForce(controls, catalogue, scope),
    catalogueVersion: catalogue.version,
    timing: catalogue.mutex.timing,
    coordinator,
    clock,
    logger,
    metrics,
  });
  mutex.start();
  return mutex;
}

const byClass = <T>(of: (priority: Priority) => T): Record<Priority, T> => ({
  P1: of('P1'),
  P2: of('P2'),
  P3: of('P3'),
});
