import { ownEnvironment } from '../config.js';
import { StackFault } from '../fault.js';
import { DEVELOPMENT_CATALOGUE, DEVELOPMENT_MASTER_KEY } from './development.js';
import { freePorts } from '../process/port.js';
import { PORT_NAMES, portsWith, type PlatformPorts } from '../ports.js';
import { DEFAULT_DATA_DIR } from '../root.js';
import type { ServerName } from '../servers/server.js';
import { ALL_APPS, APPS, type AppName } from './app-names.js';
import type { PlatformOptions } from './options.js';
import { Platform, type PlatformProcess } from './platform.js';

/** All options of a platform; what is absent is as in `npm start`, except that nothing is restarted by itself. */
export type StartOptions = Partial<Omit<PlatformOptions, 'ports'>> & {
  readonly ports?: Partial<PlatformPorts>;
};

/** Fills in what is absent. */
export function platformOptions(given: StartOptions): PlatformOptions {
  return {
    dataDir: DEFAULT_DATA_DIR,
    durability: 'kept',
    apps: APPS,
    sandbox: true,
    external: {},
    catalogueFile: DEVELOPMENT_CATALOGUE,
    masterKey: DEVELOPMENT_MASTER_KEY,
    env: ownEnvironment(),
    envOf: {},
    autoRestart: false,
    startDeadlineMs: 60_000,
    log: { say: () => undefined, line: () => undefined },
    ...given,
    ports: portsWith(given.ports),
  };
}

/** A port of its own for everything, so that platforms can run beside each other. */
export async function freePlatformPorts(): Promise<PlatformPorts> {
  const ports = await freePorts(PORT_NAMES.length);
  return portsWith(Object.fromEntries(PORT_NAMES.map((name, i) => [name, ports[i]])));
}

/** A running platform. */
export interface PlatformHandle {
  readonly urls: {
    /** Base URL of each of our processes. */
    readonly apps: Readonly<Record<AppName, string>>;
    readonly api: string;
    readonly sandbox: string;
    readonly redrive: string;
    readonly kafka: string;
    readonly redis: string;
    readonly postgres: string;
  };
  /** Pid (undefined while it does not run) and log file of one process. */
  process(name: PlatformProcess): { readonly pid: number | undefined; readonly logFile: string };
  /** Sends a signal (default SIGKILL, whose end is waited for). SIGSTOP and SIGCONT freeze and thaw. */
  kill(name: PlatformProcess, signal?: NodeJS.Signals): Promise<void>;
  /**
   * Stops the process if it runs, starts it and waits until it is ready.
   * @param more environment on top of its own, until its next start. Default: none
   */
  restart(name: PlatformProcess, more?: NodeJS.ProcessEnv): Promise<void>;
  /** The same without waiting: a process that a journey makes unfit is never ready. */
  relaunch(name: PlatformProcess, more?: NodeJS.ProcessEnv): Promise<void>;
  /** Stops one app or the sandbox in order (SIGTERM, 20 s). */
  stopApp(name: AppName | 'sandbox'): Promise<void>;
  /** Stops a server in order. */
  stopServer(name: ServerName): Promise<void>;
  /** Starts a stopped or killed server with its data. */
  startServer(name: ServerName): Promise<void>;
  /** Stops everything that was started. */
  stop(): Promise<void>;
}

function handleOf(platform: Platform, { ports }: PlatformOptions): PlatformHandle {
  const url = (name: AppName | 'sandbox'): string => `http://127.0.0.1:${ports[name]}`;
  const stop = (name: PlatformProcess): Promise<void> => platform.process(name).stop();
  return {
    urls: {
      apps: Object.fromEntries(ALL_APPS.map((name) => [name, url(name)])) as Record<AppName, string>,
      api: url('ingest-api'),
      sandbox: url('sandbox'),
      redrive: url('dlq-redrive'),
      ...platform.addresses,
    },
    process: (name) => platform.process(name).process,
    kill: (name, signal = 'SIGKILL') => platform.process(name).kill(signal),
    async restart(name, more) {
      await stop(name);
      await platform.process(name).start(more);
    },
    async relaunch(name, more) {
      await stop(name);
      await platform.process(name).launch(more);
    },
    stopApp: stop,
    stopServer: stop,
    startServer: (name) => platform.process(name).start(),
    stop: () => platform.stop(),
  };
}

/**
 * Starts the platform and resolves when all of it is ready. Rejects with a StackFault, and nothing left running, when a
 * part cannot start. For journeys: `ports: await freePlatformPorts()`, a temporary `dataDir`, `durability: 'scratch'`.
 */
export async function startPlatform(given: StartOptions = {}): Promise<PlatformHandle> {
  const options = platformOptions(given);
  const platform = new Platform(options);
  await platform.start().catch((error: unknown) => {
    if (error instanceof StackFault && error.evidence) {
      throw new StackFault([error.message, ...error.evidence.lines].join('\n'), error.evidence);
    }
    throw error;
  });
  return handleOf(platform, options);
}
