import { expectConserved } from '../checks/conservation.js';
import { untilCalls } from '../checks/progress.js';
import type { Call } from '../client/sandbox.js';
import { journey } from '../journey.js';

const to = (account: string) => (c: Call) => c.account === account && c.outcome === 'accepted';

journey(
  'codes go to the second account at once while their own fails; the rest waits for its own',
  ['sms-1', 'sms-2'],
  async ({ api, platform, sandbox }) => {
    await sandbox.configure({ 'sms-a': { fail: { share: 1, status: 503 } } });
    const codes = await api.sendMany('sms', 'P1', 60);
    const rest = await Promise.all([api.sendMany('sms', 'P2', 60), api.sendMany('sms', 'P3', 60)]);
    await untilCalls(sandbox, codes.length, 'codes at sms-b', (c) => to('sms-b')(c) && codes.includes(c.id));
    // no code was put into a retry tier: each failed at most once at its own account before it went on
    for (const id of codes) expect(sandbox.count((c) => c.id === id)).toBeLessThanOrEqual(2);
    expect(sandbox.count((c) => c.account === 'sms-b' && c.priority !== 'P1')).toBe(0);
    await sandbox.configure({ 'sms-a': { fail: { share: 0 } } });
    expect(
      await expectConserved({ api, platform, sandbox }, [...codes, ...rest.flat()], { deadlineMs: 60_000 }),
    ).toBe(0);
    // and back: new codes go to their own account
    const later = await api.sendMany('sms', 'P1', 20);
    await untilCalls(sandbox, later.length, 'codes at sms-a', (c) => to('sms-a')(c) && later.includes(c.id));
  },
);
