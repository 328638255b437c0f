import { expectConserved } from '../checks/conservation.js';
import { untilCalls } from '../checks/progress.js';
import { journey } from '../journey.js';

const HUNG = 6;
const OTHERS = 60;

journey('a hung code delays no other code', ['sms-1', 'sms-2'], async ({ api, platform, sandbox }) => {
  await sandbox.configure({ sms: { hang: { share: 1 } } });
  const hung = await api.sendMany('sms', 'P1', HUNG);
  await untilCalls(sandbox, HUNG, 'hung calls', (c) => c.outcome === 'hung');
  await sandbox.configure({ sms: { hang: { share: 0 } } });
  const others = await api.sendMany('sms', 'P1', OTHERS);
  const ids = [...hung, ...others];
  expect(await expectConserved({ api, platform, sandbox }, ids, { deadlineMs: 40_000 })).toBe(0);
  // order, not time: every other code was out before the first hung one was given up and tried again
  const isHung = new Set(hung);
  const seen = sandbox.calls.filter((c) => c.outcome === 'accepted');
  const firstAgain = seen.findIndex((c) => isHung.has(c.id));
  expect(firstAgain).toBe(OTHERS);
});
