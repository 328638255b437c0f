import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  REPO_ROOT,
  SERVERS,
  isRunning,
  runningProcesses,
  type ProcessIdentity,
} from '@commservice/tools-stack';

/** Where the shared test servers keep data, logs, pid files and this state. */
export const TESTKIT_DIR = path.join(REPO_ROOT, '.testkit');
const FILE = path.join(TESTKIT_DIR, 'state.json');

/** What clients connect to. */
export interface TestServers {
  readonly kafka: { readonly brokers: string[] };
  readonly redis: { readonly url: string };
  readonly postgres: { readonly url: string };
}

export interface TestServersState extends TestServers {
  /** The test run that stops them at its end; `kept`: they run until `npm run testkit:down`. */
  readonly owner: ProcessIdentity | 'kept';
}

/** The shared servers, if all of them run. */
export function runningState(): TestServersState | undefined {
  const alive = new Set(runningProcesses(path.join(TESTKIT_DIR, 'pids')).map((n) => n.name));
  if (!SERVERS.every((name) => alive.has(name))) return undefined;
  try {
    return JSON.parse(readFileSync(FILE, 'utf8')) as TestServersState;
  } catch {
    return undefined;
  }
}

export function writeState(state: TestServersState): void {
  writeFileSync(`${FILE}.part`, JSON.stringify(state));
  renameSync(`${FILE}.part`, FILE);
}

/** Whether the run that started the servers has ended without stopping them. */
export const isOrphaned = (state: TestServersState): boolean =>
  state.owner !== 'kept' && !isRunning(state.owner);
