import { setTimeout as delay } from 'node:timers/promises';
import type { Channel } from '@commservice/contracts';
import type { Api } from '../client/api.js';
import type { SandboxView } from '../client/sandbox.js';
import { StillWaiting } from './still-waiting.js';

const BATCH = 1_000;
const LOOK_MS = 200;
const AGAIN_MS = 500;
const GIVE_UP_MS = 60_000;

export interface BacklogOptions {
  /** ISO 8601 life of its messages, so that what is left behind ends by itself. Default: the category's. */
  readonly ttl?: string;
}

/** Promos that wait. */
export interface Backlog {
  /** All that were accepted so far. */
  readonly ids: readonly string[];
  /** Uploads no more; resolves with all ids. Rejects with the fault of the last upload. */
  stop(): Promise<readonly string[]>;
}

/**
 * Uploads P3 in batches of 1 000 until `n` wait, resolves, and goes on so that about `n` keep waiting until it is stopped.
 * What waits = accepted − called at the provider.
 */
export async function keepBacklog(
  { api, sandbox }: { readonly api: Api; readonly sandbox: SandboxView },
  channel: Channel,
  brand: string,
  n: number,
  options: BacklogOptions = {},
): Promise<Backlog> {
  const ids: string[] = [];
  const waiting = new StillWaiting(sandbox.calls);
  const fill = async (): Promise<void> => {
    for (let missing = n - waiting.count; missing > 0; missing -= BATCH) {
      const more = await upload(() => api.batch(channel, Math.min(BATCH, n), { brand, ...options }));
      for (const id of more) waiting.add(ids[ids.push(id) - 1] as string);
    }
  };
  await fill();
  const ending = new AbortController();
  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await delay(LOOK_MS, undefined, { signal: ending.signal }).catch(() => undefined);
      await sandbox.see();
      // a whole batch at a time
      if (waiting.count <= n - Math.min(BATCH, n) / 2) await fill();
    }
  };
  // a fault in mid-run must not go unhandled until the backlog is stopped
  const ended = run().then(
    () => undefined,
    (fault: unknown) => ({ fault }),
  );
  return {
    ids,
    async stop() {
      ending.abort();
      const failed = await ended;
      if (failed) throw failed.fault;
      return ids;
    },
  };
}

/** Again and again while ingest is away or full: what is tried may be just that. */
async function upload(batch: () => Promise<string[]>): Promise<string[]> {
  const endAt = performance.now() + GIVE_UP_MS;
  for (;;) {
    try {
      return await batch();
    } catch (error) {
      if (performance.now() > endAt) throw error;
      await delay(AGAIN_MS);
    }
  }
}
