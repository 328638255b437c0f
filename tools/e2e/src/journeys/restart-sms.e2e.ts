import { until } from '@commservice/testkit';
import { expectConserved } from '../checks/conservation.js';
import { Flow } from '../checks/flow.js';
import { groupGenerations } from '../checks/group-generation.js';
import { journey } from '../journey.js';

const PUSH = [
  { channel: 'push', priority: 'P1' },
  { channel: 'push', priority: 'P2' },
] as const;
const PUSH_GROUPS = /^commservice\.push\./;
const PER_SECOND = 40;
/** A pause of 40 sends: far above the flow's own unevenness, far below a rebalance or a restart. */
const LONGEST_GAP_MS = 1_000;

journey(
  'restarting sms leaves push unmoved',
  ['push-1', 'sms-1', 'sms-2'],
  async ({ api, platform, sandbox }) => {
    const push = platform.process('push-1');
    const generations = await groupGenerations(platform, PUSH_GROUPS);
    expect(Object.keys(generations)).toHaveLength(12); // two brands, three classes, each with its retry lane
    const flow = new Flow(api, PUSH, PER_SECOND);
    await until(() => flow.ids.length >= PER_SECOND, {
      describe: () => `${flow.ids.length} pushes accepted`,
    });
    await platform.restart('sms-1');
    await platform.restart('sms-2');
    const { ids, refusals } = await flow.stop();
    expect(refusals).toEqual([]);
    expect(await expectConserved({ api, platform, sandbox }, ids, { deadlineMs: 30_000 })).toBe(0);

    expect(platform.process('push-1').pid).toBe(push.pid);
    expect(await groupGenerations(platform, PUSH_GROUPS)).toEqual(generations);
    const times = sandbox.calls.filter((c) => c.channel === 'push').map((c) => c.atEpochUs / 1000);
    const gaps = times.slice(1).map((at, i) => at - (times[i] as number));
    expect(Math.max(...gaps)).toBeLessThan(LONGEST_GAP_MS);
  },
);
