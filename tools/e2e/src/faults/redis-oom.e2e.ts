import { journey } from '../journey.js';
import { redisSay } from '../platform/redis-say.js';
import { underRedisFault } from './redis-fault.js';

journey(
  'Redis is out of memory and refuses every write: as if it were away',
  ['redis', 'sms-1', 'sms-2'],
  async (world) => {
    const { redis } = world.platform.urls;
    await underRedisFault(world, {
      name: 'redis-oom',
      inject: () => redisSay(redis, 'CONFIG SET maxmemory 1'),
      heal: () => redisSay(redis, 'CONFIG SET maxmemory 512mb'),
    });
  },
);
