import { setTimeout as delay } from 'node:timers/promises';
import { isRunning, type ProcessIdentity } from './identity.js';

/** One step of stopping a process: which signal, and how long to wait for its end before the next step. */
export interface StopStep {
  readonly signal: NodeJS.Signals;
  readonly waitMs: number;
}

/** Ask, then force. */
export const termThenKill = (deadlineMs: number): readonly StopStep[] => [
  { signal: 'SIGTERM', waitMs: deadlineMs },
  { signal: 'SIGKILL', waitMs: 5_000 },
];

const POLL_MS = 20;

function send(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(identity.pid, signal);
    // a process held by SIGSTOP acts on no other signal until it goes on
    if (signal !== 'SIGKILL') process.kill(identity.pid, 'SIGCONT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function endedWithin(identity: ProcessIdentity, waitMs: number): Promise<boolean> {
  const until = performance.now() + waitMs;
  while (isRunning(identity)) {
    if (performance.now() >= until) return false;
    await delay(POLL_MS);
  }
  return true;
}

/** Stops exactly this process, step by step. Resolves with the signal that ended it; rejects when none did. */
export async function stopProcess(
  identity: ProcessIdentity,
  steps: readonly StopStep[],
): Promise<NodeJS.Signals | 'gone'> {
  if (!isRunning(identity)) return 'gone';
  for (const { signal, waitMs } of steps) {
    send(identity, signal);
    if (await endedWithin(identity, waitMs)) return signal;
  }
  throw new Error(`process ${identity.pid} did not end`);
}
