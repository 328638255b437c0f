import { expectConserved } from '../checks/conservation.js';
import { Flow } from '../checks/flow.js';
import { untilCalls } from '../checks/progress.js';
import { journey } from '../journey.js';
import { until } from '@commservice/testkit';

const CODES = 60;

journey(
  'codes go on while Redis is stopped, and nothing is lost',
  ['redis', 'sms-1', 'sms-2', 'ingest-api'],
  async ({ api, platform, sandbox }) => {
    const promos = await api.sendMany('sms', 'P3', 800);
    const flow = new Flow(
      api,
      [
        { channel: 'sms', priority: 'P1' },
        { channel: 'sms', priority: 'P2' },
      ],
      20,
    );
    await untilCalls(sandbox, 100, 'calls', () => true);
    await platform.stopServer('redis');
    const codes = new Set(await api.sendMany('sms', 'P1', CODES));
    await untilCalls(
      sandbox,
      CODES,
      'codes sent without Redis',
      (c) => codes.has(c.id) && c.outcome === 'accepted',
    );
    await platform.startServer('redis');
    const before = flow.ids.length;
    await until(() => flow.ids.length >= before + 20, { describe: () => `${flow.ids.length} accepted` });
    const { ids, refusals } = await flow.stop();
    expect(refusals).toEqual([]);
    const repeats = await expectConserved({ api, platform, sandbox }, [...promos, ...codes, ...ids], {
      deadlineMs: 60_000,
    });
    console.log(`repeats the provider recognised: ${repeats}`);
  },
);
