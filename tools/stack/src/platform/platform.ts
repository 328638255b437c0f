import path from 'node:path';
import { stopLeftovers } from '../process/leftovers.js';
import { requireFreePorts } from '../process/port.js';
import { PORTS, type PortName } from '../ports.js';
import type { ServerName } from '../servers/server.js';
import { serverOf } from '../servers/server-set.js';
import type { AppName } from './app-names.js';
import { appSpec, sandboxSpec, type ServerAddresses } from './app-spec.js';
import type { PlatformOptions } from './options.js';
import { prepareServers } from './prepare.js';
import { Supervised } from './supervised.js';

export type PlatformProcess = ServerName | 'sandbox' | AppName;

const SERVER_PORTS: Record<ServerName, readonly PortName[]> = {
  kafka: ['kafka', 'kafkaController'],
  redis: ['redis'],
  postgres: ['postgres'],
};

/**
 * The whole local platform. States: IDLE → STARTING → UP → STOPPED; `stop` may come at any time and wins.
 * Order: servers, then topics and schema, then sandbox and apps, ingest-api last; stopping goes the other way round.
 * Invariant: after `stop` no process that this platform started runs. Callers: npm start, e2e, bench.
 */
export class Platform {
  readonly addresses: ServerAddresses;
  private readonly servers = new Map<ServerName, Supervised>();
  private readonly programs = new Map<'sandbox' | AppName, Supervised>();
  private starting: Promise<void> | undefined;
  private stopped = false;

  constructor(private readonly options: PlatformOptions) {
    const { dataDir, external, autoRestart, log } = options;
    const folders = { pids: path.join(dataDir, 'pids'), logs: path.join(dataDir, 'logs') };
    const addressOf = (name: ServerName): string => {
      const given = external[name];
      if (given) return given;
      const server = serverOf(name, options);
      const prepare = (): Promise<void> => server.prepare();
      this.servers.set(name, new Supervised(server.spec, folders, { autoRestart, log, prepare }));
      return server.address;
    };
    this.addresses = {
      kafka: addressOf('kafka'),
      redis: addressOf('redis'),
      postgres: addressOf('postgres'),
    };
    if (options.sandbox)
      this.programs.set('sandbox', new Supervised(sandboxSpec(options), folders, { autoRestart, log }));
    for (const name of options.apps) {
      this.programs.set(
        name,
        new Supervised(appSpec(name, options, this.addresses), folders, { autoRestart, log }),
      );
    }
  }

  /** Starts everything; rejects with a StackFault, and with nothing left running, when one part cannot. */
  async start(): Promise<void> {
    this.starting ??= this.startInOrder();
    try {
      await this.starting;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Stops everything this platform started: apps, then the sandbox, then servers. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.stopAll();
    // what was just being started when we came is stopped too
    await this.starting?.catch(() => undefined);
    await this.stopAll();
  }

  /** One process; throws for a name that this platform does not run. */
  process(name: PlatformProcess): Supervised {
    const found = this.servers.get(name as ServerName) ?? this.programs.get(name as AppName);
    if (!found) throw new Error(`this platform runs no ${name}`);
    return found;
  }

  /** Names of the servers it started itself. */
  get ownServers(): ServerName[] {
    return [...this.servers.keys()];
  }

  private async startInOrder(): Promise<void> {
    const { dataDir, log } = this.options;
    const leftovers = await stopLeftovers(dataDir, ['npm-start']);
    if (leftovers.length > 0) {
      const names = leftovers.map((n) => `${n.name} (pid ${n.pid})`).join(', ');
      log.say(`An earlier run was killed and left ${names}: stopped.`);
    }
    await requireFreePorts(
      this.portNames().map((name) => ({ ...PORTS[name], port: this.options.ports[name] })),
    );
    await this.startTogether([...this.servers.values()]);
    await prepareServers(this.options, this.addresses);
    // ingest writes at once, and a lane refuses a topic that held records before its group had ever committed
    const writers = [...this.programs]
      .filter(([name]) => name === 'ingest-api')
      .map(([, program]) => program);
    await this.startTogether([...this.programs.values()].filter((program) => !writers.includes(program)));
    await this.startTogether(writers);
  }

  private async startTogether(processes: readonly Supervised[]): Promise<void> {
    this.failIfStopped();
    const results = await Promise.allSettled(processes.map((p) => p.start()));
    this.failIfStopped();
    const failed = results.find((r) => r.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private failIfStopped(): void {
    if (this.stopped) throw new Error('the platform was stopped while it started');
  }

  private async stopAll(): Promise<void> {
    const apps = [...this.programs].filter(([name]) => name !== 'sandbox').map(([, app]) => app);
    await Promise.all(apps.map((app) => app.stop()));
    await this.programs.get('sandbox')?.stop();
    await Promise.all([...this.servers.values()].map((server) => server.stop()));
  }

  private portNames(): PortName[] {
    return [...[...this.servers.keys()].flatMap((name) => SERVER_PORTS[name]), ...this.programs.keys()];
  }
}
