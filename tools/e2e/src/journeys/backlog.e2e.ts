import { expectConserved } from '../checks/conservation.js';
import { untilCalls } from '../checks/progress.js';
import { journey } from '../journey.js';

const BACKLOG = 2_000;
const CODES = 40;

journey(
  'codes pass a backlog of promos',
  ['sms-1', 'sms-2', 'ingest-api'],
  async ({ api, platform, sandbox }) => {
    const promos = await api.sendMany('sms', 'P3', BACKLOG);
    await untilCalls(sandbox, 50, 'promos sent', (c) => c.priority === 'P3');
    const codes = await api.sendMany('sms', 'P1', CODES);
    const inFlood = sandbox.calls.length;
    await untilCalls(sandbox, CODES, 'codes sent', (c) => c.priority === 'P1');
    // order, not time: all codes are out while most of what was queued before them still waits
    const last = sandbox.calls.findLastIndex((c) => c.priority === 'P1');
    const promosBefore = sandbox.calls.slice(0, last).filter((c) => c.priority === 'P3').length;
    expect(inFlood).toBeGreaterThan(0);
    expect(promosBefore).toBeLessThan(BACKLOG / 2);
    expect(
      await expectConserved({ api, platform, sandbox }, [...promos, ...codes], { deadlineMs: 60_000 }),
    ).toBe(0);
  },
);
