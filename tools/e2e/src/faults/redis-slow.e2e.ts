import { journey } from '../journey.js';
import { underRedisFault } from './redis-fault.js';

/** Longer than any deadline of a code: an answer that comes so late tells nothing. */
const ONE_WAY_MS = 100;

journey('Redis is slow for 5 s: its answers come after every deadline', ['sms-1', 'sms-2'], async (world) => {
  const { all } = world.platform.redisLinks;
  await underRedisFault(world, {
    name: 'redis-slow',
    lastsS: 5,
    inject: () => Promise.all(all.map((link) => link.delay(ONE_WAY_MS))),
    heal: () => Promise.all(all.map((link) => link.pass())),
  });
});
