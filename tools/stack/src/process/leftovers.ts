import { rmSync } from 'node:fs';
import path from 'node:path';
import { POSTGRES_STOP } from '../servers/postgres-stop.js';
import { rootOnlyDataFolder } from '../servers/postgres-home.js';
import { SERVERS } from '../servers/server.js';
import { runningProcesses, type PidNote } from './pid-file.js';
import { stopProcess, termThenKill } from './stop.js';

const STOP_DEADLINE_MS = 20_000;
/** Stopped in this order: first what uses the others. */
const stageOf = (name: string): number =>
  (SERVERS as readonly string[]).includes(name) ? 2 : name === 'sandbox' ? 1 : 0;

const stepsOf = (name: string) => (name === 'postgres' ? POSTGRES_STOP : termThenKill(STOP_DEADLINE_MS));

/** Stops every process that a pid file of `dataDir` names and that still is that process. Returns their notes. */
export async function stopLeftovers(dataDir: string, except: readonly string[] = []): Promise<PidNote[]> {
  const notes = runningProcesses(path.join(dataDir, 'pids')).filter((n) => !except.includes(n.name));
  for (const stage of [0, 1, 2]) {
    const now = notes.filter((n) => stageOf(n.name) === stage);
    await Promise.all(now.map((note) => stopProcess(note, stepsOf(note.name))));
  }
  runningProcesses(path.join(dataDir, 'pids')); // drops the notes of what has just ended
  return notes;
}

/** Removes data, configuration and logs of servers that do not run. Downloads stay. */
export function clearData(dataDir: string): void {
  for (const name of ['data', 'conf', 'logs', 'pids']) {
    rmSync(path.join(dataDir, name), { recursive: true, force: true });
  }
  rmSync(rootOnlyDataFolder(dataDir), { recursive: true, force: true });
}
