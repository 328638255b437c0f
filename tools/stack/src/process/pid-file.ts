import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { isRunning, type ProcessIdentity } from './identity.js';

const noteSchema = z.object({ name: z.string(), pid: z.number().int(), started: z.string() });

/** What a pid file says: which process runs under which name. */
export type PidNote = z.infer<typeof noteSchema>;

const fileOf = (folder: string, name: string): string => path.join(folder, `${name}.json`);

/** Notes that `name` runs as this process; replaces an older note in one step. */
export function writePidFile(folder: string, name: string, identity: ProcessIdentity): void {
  mkdirSync(folder, { recursive: true });
  const file = fileOf(folder, name);
  writeFileSync(`${file}.part`, JSON.stringify({ name, ...identity }));
  renameSync(`${file}.part`, file);
}

export function removePidFile(folder: string, name: string): void {
  rmSync(fileOf(folder, name), { force: true });
}

function readNote(file: string): PidNote | undefined {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined; // cut short by a crash: the process it was to name cannot be told
  }
}

/** The processes noted in `folder` that still run. Notes of ended ones are removed. */
export function runningProcesses(folder: string): PidNote[] {
  let files: string[];
  try {
    files = readdirSync(folder).filter((f) => f.endsWith('.json'));
  } catch {
    return [];
  }
  return files.flatMap((name) => {
    const file = path.join(folder, name);
    const note = readNote(file);
    if (note && isRunning(note)) return [note];
    rmSync(file, { force: true });
    return [];
  });
}
