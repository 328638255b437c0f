import { journey } from '../journey.js';
import { redisSay } from '../platform/redis-say.js';
import { underRedisFault } from './redis-fault.js';

journey(
  'Redis is killed, starts empty at once, and forgets once more: nothing is granted twice',
  ['redis', 'sms-1', 'sms-2'],
  (world) =>
    underRedisFault(world, {
      name: 'redis-empty',
      inject: async () => {
        await world.platform.kill('redis');
        await world.platform.startServer('redis');
      },
      heal: () => redisSay(world.platform.urls.redis, 'FLUSHALL'),
    }),
);
