import { commandsBetween, parseCommandStats } from './redis-commands.js';

const INFO = [
  '# Commandstats',
  'cmdstat_evalsha:calls=12,usec=120,usec_per_call=10.00,rejected_calls=0,failed_calls=0',
  'cmdstat_config|get:calls=1,usec=2,usec_per_call=2.00,rejected_calls=0,failed_calls=0',
  'cmdstat_info:calls=9,usec=2,usec_per_call=2.00,rejected_calls=0,failed_calls=0',
].join('\r\n');

describe('Redis command counts', () => {
  it('reads the calls of each command but its own question', () => {
    expect(parseCommandStats(INFO)).toEqual({ evalsha: 12, 'config|get': 1 });
  });

  it('takes the difference, new commands included', () => {
    expect(commandsBetween({ evalsha: 10, set: 3 }, { evalsha: 12, set: 3, get: 4 })).toEqual({
      evalsha: 2,
      get: 4,
    });
  });
});
