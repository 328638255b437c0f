import { journey } from '../journey.js';
import { underRedisFault } from './redis-fault.js';

journey(
  'Redis is black-holed for one pod of two: both together never exceed the rate',
  ['sms-1', 'sms-2'],
  async (world) => {
    const link = world.platform.redisLinks.link('sms-1');
    await underRedisFault(world, {
      name: 'redis-black-hole',
      inject: () => link.blackHole(),
      heal: () => link.pass(),
    });
  },
);
