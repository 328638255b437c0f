import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ServerSet, freePorts, type ManagedProcess, type ServerName } from '@commservice/tools-stack';

/** Servers of one test, to stop, kill and pause at will. */
export interface OwnServers {
  /** `host:port` of Kafka, URL of the others. */
  address(name: ServerName): string;
  /** Starts it again after `stop` or `kill`, with its data. */
  start(name: ServerName): Promise<void>;
  /** Stops it as an operator would. */
  stop(name: ServerName): Promise<void>;
  /** Ends it at once, as a crash would (SIGKILL). */
  kill(name: ServerName): Promise<void>;
  /** Freezes it: connections stay open, nothing answers (SIGSTOP). */
  pause(name: ServerName): void;
  /** Ends `pause`. */
  resume(name: ServerName): void;
  process(name: ServerName): ManagedProcess;
  /** Stops all and removes the data; for afterAll. */
  close(): Promise<void>;
}

/** Starts servers for one test alone. `kept` (default false): data written just before a crash survives it. */
export async function ownServers(
  only: readonly ServerName[],
  options: { kept?: boolean } = {},
): Promise<OwnServers> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'commservice-test-'));
  chmodSync(dataDir, 0o755); // PostgreSQL runs as another user when we are root
  const [kafka, kafkaController, redis, postgres] = (await freePorts(4)) as [number, number, number, number];
  const ports = { kafka, kafkaController, redis, postgres };
  const set = new ServerSet({ dataDir, ports, only, durability: options.kept ? 'kept' : 'scratch' });
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true });
  await set.startAll().catch((error: unknown) => {
    remove();
    throw error;
  });
  return {
    address: (name) => set.address(name),
    start: (name) => set.start(name),
    stop: (name) => set.process(name).stop(),
    kill: (name) => set.process(name).kill(),
    pause: (name) => set.process(name).signal('SIGSTOP'),
    resume: (name) => set.process(name).signal('SIGCONT'),
    process: (name) => set.process(name),
    async close() {
      await set.stopAll();
      remove();
    },
  };
}
