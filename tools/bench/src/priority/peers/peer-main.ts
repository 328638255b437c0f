import { PRIORITIES, type Priority } from '@commservice/contracts';
import { Redis } from 'ioredis';
import { BatchMutex } from './batch-mutex.js';
import { startBullWorker } from './bull-worker.js';
import { PeerConsumer } from './peer-consumer.js';
import type { PeerSettings } from './peer-settings.js';
import { ProviderCall } from './provider-call.js';
import { startRabbitConsumer } from './rabbit-consumer.js';
import { SharedBucket } from './shared-bucket.js';

async function startKafka(
  settings: PeerSettings,
  priorities: readonly (Priority | undefined)[],
  call: ProviderCall,
  mutex?: BatchMutex,
): Promise<void> {
  const consumers = priorities.map(
    (priority) =>
      new PeerConsumer({ settings, topic: settings.topics[priority ?? 'P1'], priority, call, mutex }),
  );
  await Promise.all(consumers.map((consumer) => consumer.start()));
}

/** Starts the consumers of a mode: one for each class, or one for all. Resolves when they take messages. */
function start(settings: PeerSettings, redis: Redis, call: ProviderCall): Promise<void> {
  switch (settings.mode) {
    case 'fifo':
    case 'partitions':
      return startKafka(settings, [undefined], call);
    case 'topics':
      return startKafka(settings, PRIORITIES, call);
    case 'original':
      return startKafka(settings, PRIORITIES, call, new BatchMutex(redis, 'peer'));
    case 'bullmq':
    case 'bullmq-limiter':
      return startBullWorker(settings, call);
    case 'rabbitmq':
      return startRabbitConsumer(settings, call);
  }
}

/** One peer dispatcher. Started by PeerProcess with its settings as JSON; prints `ready`; ends with its input. */
async function main(): Promise<void> {
  process.stdin.resume().once('end', () => process.exit(0));
  const settings = JSON.parse(process.argv[2] ?? '{}') as PeerSettings;
  const redis = new Redis(settings.redis);
  redis.on('error', () => undefined); // a command that fails rejects, and its batch is tried again
  const bucket = new SharedBucket(redis, 'peer:bucket', settings.ratePerSecond);
  const call = new ProviderCall(settings, settings.mode === 'bullmq-limiter' ? undefined : bucket);
  await start(settings, redis, call);
  console.log('ready');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
