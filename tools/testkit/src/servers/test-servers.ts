import path from 'node:path';
import {
  ServerSet,
  clearData,
  freePorts,
  identify,
  stopLeftovers,
  type ProcessIdentity,
} from '@commservice/tools-stack';
import { withLock } from './lock.js';
import {
  TESTKIT_DIR,
  isOrphaned,
  runningState,
  writeState,
  type TestServers,
  type TestServersState,
} from './state.js';

const LOCK = path.join(TESTKIT_DIR, 'lock');
const LOCK_DEADLINE_MS = 120_000;

function ourselves(): ProcessIdentity {
  const identity = identify(process.pid);
  if (!identity) throw new Error('this process cannot find itself');
  return identity;
}

async function startAll(owner: TestServersState['owner']): Promise<TestServersState> {
  await stopLeftovers(TESTKIT_DIR);
  clearData(TESTKIT_DIR);
  const [kafka, kafkaController, redis, postgres] = (await freePorts(4)) as [number, number, number, number];
  const ports = { kafka, kafkaController, redis, postgres };
  const servers = new ServerSet({ dataDir: TESTKIT_DIR, ports, durability: 'scratch' });
  await servers.startAll();
  servers.release();
  const state: TestServersState = {
    kafka: { brokers: [servers.address('kafka')] },
    redis: { url: servers.address('redis') },
    postgres: { url: servers.address('postgres') },
    owner,
  };
  writeState(state);
  return state;
}

/**
 * The shared servers, started first when they do not run. The process that starts them, or finds them left by a run
 * that has ended, becomes their owner; `keep` makes them stay until `stopTestServers`.
 */
export function ensureTestServers(options: { keep?: boolean } = {}): Promise<TestServersState> {
  return withLock(LOCK, LOCK_DEADLINE_MS, async () => {
    const owner = options.keep ? ('kept' as const) : ourselves();
    const running = runningState();
    if (!running) return startAll(owner);
    if (!options.keep && !isOrphaned(running)) return running;
    const state = { ...running, owner };
    writeState(state);
    return state;
  });
}

/** Stops the shared servers and removes their data. With `onlyIfOurs`, only when this process owns them. */
export function stopTestServers(options: { onlyIfOurs?: boolean } = {}): Promise<boolean> {
  return withLock(LOCK, LOCK_DEADLINE_MS, async () => {
    const owner = runningState()?.owner;
    const ours = owner !== undefined && owner !== 'kept' && owner.pid === process.pid;
    if (options.onlyIfOurs && !ours) return false;
    const stopped = await stopLeftovers(TESTKIT_DIR);
    clearData(TESTKIT_DIR);
    return stopped.length > 0;
  });
}

let shared: Promise<TestServers> | undefined;

/**
 * Real Kafka, Redis and PostgreSQL, shared by all test files of a run (and by later runs while `testkit:up` keeps them).
 * Use names of your own on them: `uniqueName`, `redisPrefix`, `freshDatabase`. Never stop or pause them: a test that
 * needs to break a server starts its own with `ownServers`.
 */
export function testServers(): Promise<TestServers> {
  const running = runningState();
  if (running) return Promise.resolve(running);
  shared ??= ensureTestServers();
  return shared;
}
