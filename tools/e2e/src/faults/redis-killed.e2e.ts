import { journey } from '../journey.js';
import { underRedisFault } from './redis-fault.js';

journey(
  'Redis dies: codes, orders and promos go on, each pod within its own part',
  ['redis', 'sms-1', 'sms-2'],
  (world) =>
    underRedisFault(world, {
      name: 'redis-killed',
      inject: () => world.platform.kill('redis'),
      heal: () => world.platform.startServer('redis'),
    }),
);
