import path from 'node:path';
import { ManagedProcess, type ProcessEvents } from '../process/managed-process.js';
import { kafkaServer } from './kafka.js';
import { postgresServer } from './postgres.js';
import { redisServer } from './redis.js';
import { SERVERS, type Durability, type Server, type ServerName } from './server.js';

/** Ports of the servers; Kafka has a second one for its controller. */
export interface ServerPorts {
  readonly kafka: number;
  readonly kafkaController: number;
  readonly redis: number;
  readonly postgres: number;
}

export interface ServerSetOptions {
  /** Folder for data, configuration, logs and pid files. */
  readonly dataDir: string;
  readonly ports: ServerPorts;
  readonly durability: Durability;
  /** After how long without a word Kafka closes a connection, ms; absent = its own default, 10 min. */
  readonly kafkaIdleMs?: number;
  /** Which servers; default all. */
  readonly only?: readonly ServerName[];
  readonly eventsOf?: (name: ServerName) => ProcessEvents;
}

/** The server of that name. */
export function serverOf(
  name: ServerName,
  {
    dataDir,
    ports,
    durability,
    kafkaIdleMs,
  }: Pick<ServerSetOptions, 'dataDir' | 'ports' | 'durability' | 'kafkaIdleMs'>,
): Server {
  switch (name) {
    case 'kafka':
      return kafkaServer({
        dataDir,
        durability,
        port: ports.kafka,
        controllerPort: ports.kafkaController,
        idleMs: kafkaIdleMs,
      });
    case 'redis':
      return redisServer({ dataDir, durability, port: ports.redis });
    case 'postgres':
      return postgresServer({ dataDir, durability, port: ports.postgres });
  }
}

interface Entry {
  readonly server: Server;
  readonly process: ManagedProcess;
}

/**
 * The servers of one platform or test run, started and stopped together or one by one. Each server is STOPPED or
 * RUNNING (see ManagedProcess). Callers: the platform, the testkit.
 */
export class ServerSet {
  private readonly entries: ReadonlyMap<ServerName, Entry>;

  constructor(options: ServerSetOptions) {
    const folders = { pids: path.join(options.dataDir, 'pids'), logs: path.join(options.dataDir, 'logs') };
    const names = options.only ?? SERVERS;
    this.entries = new Map(
      names.map((name) => {
        const server = serverOf(name, options);
        return [
          name,
          { server, process: new ManagedProcess(server.spec, folders, options.eventsOf?.(name)) },
        ];
      }),
    );
  }

  get names(): ServerName[] {
    return [...this.entries.keys()];
  }

  /** What clients connect to. */
  address(name: ServerName): string {
    return this.entry(name).server.address;
  }

  process(name: ServerName): ManagedProcess {
    return this.entry(name).process;
  }

  /** Starts one server and waits until it answers. */
  async start(name: ServerName): Promise<void> {
    const { server, process } = this.entry(name);
    await server.prepare();
    await process.start();
  }

  /** Starts all at once; when one fails, stops the others and rejects with its fault. */
  async startAll(): Promise<void> {
    const results = await Promise.allSettled(this.names.map((name) => this.start(name)));
    const failed = results.find((r) => r.status === 'rejected');
    if (!failed) return;
    await this.stopAll();
    throw failed.reason;
  }

  /** Stops all that run. */
  async stopAll(): Promise<void> {
    await Promise.all([...this.entries.values()].map(({ process }) => process.stop()));
  }

  /** Lets our own process end while the servers go on. */
  release(): void {
    for (const { process } of this.entries.values()) process.release();
  }

  private entry(name: ServerName): Entry {
    const entry = this.entries.get(name);
    if (!entry) throw new Error(`no server ${name} in this set`);
    return entry;
  }
}
