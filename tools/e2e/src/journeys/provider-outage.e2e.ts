import { countDeadLetters } from '../checks/dead-letters.js';
import { expectConserved } from '../checks/conservation.js';
import { untilCalls } from '../checks/progress.js';
import { journey } from '../journey.js';

journey(
  'an outage of the provider is no poison: all is delivered after it',
  ['sms-1', 'sms-2'],
  async ({ api, platform, sandbox }) => {
    const dead = await countDeadLetters(platform, 'sms');
    await sandbox.configure({ sms: { fail: { share: 1, status: 503 } } });
    const codes = await api.sendMany('sms', 'P1', 60);
    const failedAt = (pod: string) => (c: { pod: string; outcome: string }) =>
      c.pod === pod && c.outcome === 'failed';
    // both pods know of the outage before the classes with slow retry tiers come
    for (const pod of ['sms-1', 'sms-2'])
      await untilCalls(sandbox, 8, `failed calls of ${pod}`, failedAt(pod));
    const rest = await Promise.all([api.sendMany('sms', 'P2', 100), api.sendMany('sms', 'P3', 300)]);
    // some probes of each pod later it is still down, and nothing was given up
    const tried = sandbox.calls.length;
    await untilCalls(sandbox, tried + 4, 'calls', () => true);
    expect(sandbox.count((c) => c.outcome !== 'failed')).toBe(0);
    await sandbox.configure({ sms: { fail: { share: 0 } } });
    const ids = [...codes, ...rest.flat()];
    expect(await expectConserved({ api, platform, sandbox }, ids, { deadlineMs: 60_000 })).toBe(0);
    expect(await countDeadLetters(platform, 'sms')).toBe(dead);
  },
);
