import { setTimeout as delay } from 'node:timers/promises';
import { journey } from '../journey.js';
import { startReplica } from '../platform/redis-replica.js';
import { underRedisFault } from './redis-fault.js';

/** How far the replica is behind when it takes over. */
const LAG_MS = 1_000;
/** Until somebody notices that the first is dead. */
const NOTICED_MS = 500;

journey(
  'Redis fails over to a replica that lags, and back: what the replica does not know is not granted again',
  ['redis', 'sms-1', 'sms-2'],
  async (world) => {
    const { platform } = world;
    const replica = await startReplica(platform.urls.redis);
    try {
      await underRedisFault(world, {
        name: 'redis-failover',
        inject: async () => {
          await replica.lag();
          await delay(LAG_MS);
          await platform.kill('redis');
          await delay(NOTICED_MS);
          await replica.promote();
          await platform.redisLinks.leadTo(replica.port);
        },
        heal: async () => {
          await platform.startServer('redis');
          await platform.redisLinks.leadTo();
        },
      });
    } finally {
      await platform.redisLinks.leadTo();
      await replica.close();
    }
  },
);
