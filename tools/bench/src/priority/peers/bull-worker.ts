import { Worker } from 'bullmq';
import { bullConnection, bullLimiter } from './bull-settings.js';
import { SLOTS, type PeerMessage, type PeerSettings } from './peer-settings.js';
import type { ProviderCall } from './provider-call.js';

/** One BullMQ worker with as many jobs at a time as the other peers have slots. Resolves when it takes jobs. */
export async function startBullWorker(settings: PeerSettings, call: ProviderCall): Promise<void> {
  const { mode, topics, redis, ratePerSecond } = settings;
  const worker = new Worker<PeerMessage>(topics.P1, ({ data }) => call.send(data), {
    connection: bullConnection(redis),
    concurrency: SLOTS,
    ...(mode === 'bullmq-limiter' ? { limiter: bullLimiter(ratePerSecond) } : {}),
  });
  worker.on('error', (error) => console.error(error));
  await worker.waitUntilReady();
}
