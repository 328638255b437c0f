import path from 'node:path';
import type { ProcessSpec } from '../process/managed-process.js';
import { GOES_FIRST_NICENESS, STANDS_BACK_NICENESS } from '../process/niceness.js';
import { termThenKill } from '../process/stop.js';
import { REPO_ROOT } from '../root.js';
import { APP_FOLDER, type AppName } from './app-names.js';
import type { PlatformOptions } from './options.js';

/** Node 24 of the npm package: the one that npm's own commands use. */
const NODE = path.join(REPO_ROOT, 'node_modules', '.bin', 'node');
/** Apps stop within 20 s by contract; a little more before force. */
const STOP_DEADLINE_MS = 22_000;
const PROBE_TIMEOUT_MS = 2_000;
/** Nobody who sends a code waits for these: they stand back. The others are the path of a code and go first. */
const STANDS_BACK: ReadonlySet<AppName> = new Set(['status-projector', 'dlq-redrive']);

/** What clients connect to. */
export interface ServerAddresses {
  readonly kafka: string;
  readonly redis: string;
  readonly postgres: string;
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** npm's and jest's own variables are no business of an app. */
function inherited(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(npm_|JEST_|INIT_CWD$)/.test(name)));
}

function nodeProcess(
  name: string,
  main: string,
  url: string,
  startDeadlineMs: number,
): Omit<ProcessSpec, 'env' | 'args'> & { main: string } {
  return {
    name,
    main: path.join(REPO_ROOT, main),
    command: NODE,
    cwd: REPO_ROOT,
    output: 'lines',
    ready: () => answersOk(`${url}/health/ready`),
    startDeadlineMs,
    stop: termThenKill(STOP_DEADLINE_MS),
  };
}

/** How to run one app of `apps/`. */
export function appSpec(name: AppName, options: PlatformOptions, servers: ServerAddresses): ProcessSpec {
  const port = options.ports[name];
  const url = `http://127.0.0.1:${port}`;
  const { main, ...spec } = nodeProcess(
    name,
    `apps/${APP_FOLDER[name]}/dist/main.js`,
    url,
    options.startDeadlineMs,
  );
  return {
    ...spec,
    args: [main],
    niceness: STANDS_BACK.has(name) ? STANDS_BACK_NICENESS : GOES_FIRST_NICENESS,
    env: {
      NODE_ENV: 'development',
      ...inherited(options.env),
      PORT: String(port),
      POD: name,
      KAFKA_BROKERS: servers.kafka,
      REDIS_URL: servers.redis,
      DATABASE_URL: servers.postgres,
      CATALOGUE_FILE: options.catalogueFile,
      MASTER_KEY: options.masterKey,
      PROVIDER_URL: `http://127.0.0.1:${options.ports.sandbox}`,
      RECEIPT_BASE_URL: url,
      // a start that was broken off may have left records before the groups' first commits
      INIT_GROUP: 'true',
      ...options.envOf[name],
    },
  };
}

/** How to run the provider sandbox. */
export function sandboxSpec(options: PlatformOptions): ProcessSpec {
  const port = options.ports.sandbox;
  const { main, ...spec } = nodeProcess(
    'sandbox',
    'tools/sandbox/dist/main.js',
    `http://127.0.0.1:${port}`,
    options.startDeadlineMs,
  );
  return {
    ...spec,
    args: [main, '--port', String(port)],
    env: { NODE_ENV: 'development', ...inherited(options.env), ...options.envOf.sandbox },
  };
}
