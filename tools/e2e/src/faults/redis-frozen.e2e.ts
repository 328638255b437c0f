import { journey } from '../journey.js';
import { underRedisFault } from './redis-fault.js';

journey(
  'Redis is frozen for 5 s: connections stay open and nothing answers',
  ['redis', 'sms-1', 'sms-2'],
  (world) =>
    underRedisFault(world, {
      name: 'redis-frozen',
      lastsS: 5,
      inject: () => world.platform.kill('redis', 'SIGSTOP'),
      heal: () => world.platform.kill('redis', 'SIGCONT'),
    }),
);
