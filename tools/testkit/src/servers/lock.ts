import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identify, isRunning, type ProcessIdentity } from '@commservice/tools-stack';

const POLL_MS = 50;

/** Makes the lock file with our identity in it; false when somebody else's is there. */
function take(file: string): boolean {
  try {
    writeFileSync(file, JSON.stringify(identify(process.pid)), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function holderOf(file: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity;
  } catch {
    return undefined; // just released, or being written
  }
}

/**
 * Runs `work` while holding a lock between processes. A lock whose holder has ended is taken over. Rejects when the
 * lock is not free within `deadlineMs`.
 */
export async function withLock<T>(file: string, deadlineMs: number, work: () => Promise<T>): Promise<T> {
  mkdirSync(path.dirname(file), { recursive: true });
  const until = performance.now() + deadlineMs;
  while (!take(file)) {
    const holder = holderOf(file);
    if (holder && !isRunning(holder)) rmSync(file, { force: true });
    if (performance.now() > until)
      throw new Error(`the lock ${file} is held by process ${holder?.pid ?? 'unknown'}`);
    await delay(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
