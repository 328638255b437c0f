import { until } from '@commservice/testkit';
import { expectConserved } from '../checks/conservation.js';
import { untilCalls } from '../checks/progress.js';
import { untilOwnsAll } from '../checks/takeover.js';
import { journey } from '../journey.js';

/** Design §3: a process that is asked to stop has 20 s. */
const DRAIN_DEADLINE_MS = 20_000;

journey(
  'SIGTERM under load drains a pod and the other one takes over',
  ['sms-1', 'sms-2'],
  async ({ api, platform, sandbox }) => {
    const sent = await Promise.all([
      api.sendMany('sms', 'P3', 1_200),
      api.sendMany('sms', 'P2', 150),
      api.sendMany('sms', 'P1', 40),
    ]);
    await untilCalls(sandbox, 100, 'calls of sms-1', (c) => c.pod === 'sms-1');
    const said = platform.sayings.length;
    await platform.kill('sms-1', 'SIGTERM');
    await until(() => platform.process('sms-1').pid === undefined, {
      deadlineMs: DRAIN_DEADLINE_MS,
      describe: 'sms-1 ends',
    });
    expect(platform.sayings.slice(said)).toEqual(['sms-1 ended with code 0.']);
    await untilOwnsAll(platform, 'sms-2');
    await platform.restart('sms-1');
    // nothing was in the air that the pod did not settle: not even a repeat
    expect(await expectConserved({ api, platform, sandbox }, sent.flat(), { deadlineMs: 60_000 })).toBe(0);
  },
);
