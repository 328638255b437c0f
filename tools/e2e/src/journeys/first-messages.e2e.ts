import { CHANNELS, PRIORITIES } from '@commservice/contracts';
import { expectConserved } from '../checks/conservation.js';
import { journey } from '../journey.js';

journey(
  'one message per channel and class reaches delivered, and the provider sees it once',
  ['ingest-api', 'sms-1', 'push-1', 'email-1', 'messenger-1', 'status-projector'],
  async ({ api, platform, sandbox }) => {
    const kinds = CHANNELS.flatMap((channel) => PRIORITIES.map((priority) => ({ channel, priority })));
    const ids = await Promise.all(kinds.map(({ channel, priority }) => api.send(channel, priority)));
    expect(await expectConserved({ api, platform, sandbox }, ids, { deadlineMs: 30_000 })).toBe(0);
    for (const [i, { channel, priority }] of kinds.entries()) {
      const id = ids[i] as string;
      expect(await api.status(id)).toMatchObject({
        id,
        status: 'delivered',
        channel,
        priority,
        reference: api.reference,
      });
      expect(sandbox.calls.find((c) => c.id === id)).toMatchObject({
        channel,
        priority,
        brand: 'alfa',
        outcome: 'accepted',
      });
    }
  },
);
