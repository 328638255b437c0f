import { PRIORITIES, type Priority } from '@commservice/contracts';
import { Redis } from 'ioredis';
import { BatchMutex } from './batch-mutex.js';
import { PeerConsumer } from './peer-consumer.js';
import type { PeerSettings } from './peer-settings.js';
import { ProviderCall } from './provider-call.js';
import { SharedBucket } from './shared-bucket.js';

/** The classes that have a consumer of their own; one `undefined` where all share it. */
function consumersOf({ mode }: PeerSettings): readonly (Priority | undefined)[] {
  switch (mode) {
    case 'fifo':
    case 'partitions':
      return [undefined];
    case 'topics':
    case 'original':
      return PRIORITIES;
  }
}

/** One peer dispatcher. Started by PeerProcess with its settings as JSON; prints `ready`; ends with its input. */
async function main(): Promise<void> {
  process.stdin.resume().once('end', () => process.exit(0));
  const settings = JSON.parse(process.argv[2] ?? '{}') as PeerSettings;
  const redis = new Redis(settings.redis);
  redis.on('error', () => undefined); // a command that fails rejects, and its batch is tried again
  const call = new ProviderCall(settings, new SharedBucket(redis, 'peer:bucket', settings.ratePerSecond));
  const mutex = settings.mode === 'original' ? new BatchMutex(redis, 'peer') : undefined;
  const consumers = consumersOf(settings).map(
    (priority) =>
      new PeerConsumer({ settings, topic: settings.topics[priority ?? 'P1'], priority, call, mutex }),
  );
  await Promise.all(consumers.map((consumer) => consumer.start()));
  console.log('ready');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
