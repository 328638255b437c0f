import { Queue } from 'bullmq';
import { BenchFault } from '../../fault.js';
import { bullConnection, jobOptions } from '../peers/bull-settings.js';
import type { PeerMessage } from '../peers/peer-settings.js';
import type { Writer } from './writer.js';

/** Adds each message to one BullMQ queue as a job of its own. */
export async function openBullWriter(redis: string, name: string): Promise<Writer<PeerMessage>> {
  const queue = new Queue(name, { connection: bullConnection(redis) });
  queue.on('error', () => undefined); // what matters rejects in `write`
  await queue.waitUntilReady();
  return {
    async write(priority, message) {
      await queue.add('send', message, jobOptions(priority)).catch((error: unknown) => {
        throw new BenchFault(`A ${priority} was not added to BullMQ: ${(error as Error).message}.`);
      });
    },
    close: () => queue.close(),
  };
}
