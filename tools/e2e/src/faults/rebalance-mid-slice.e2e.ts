import { endLoad } from '../checks/end-load.js';
import { untilCalls } from '../checks/progress.js';
import { journey } from '../journey.js';
import { Figures } from '../lines/figures.js';
import { mustKeepContract } from '../lines/contract.js';
import { delays, delaysLine, keepBacklog, Load } from '../load/index.js';
import { count, seconds } from '../scale.js';
import { untilShared } from './sms-pods.js';

journey(
  'a pod that restarts while the other is in mid-slice costs nothing: none lost, none doubled, the contract holds',
  ['sms-1', 'sms-2'],
  async (world) => {
    const { api, platform, sandbox } = world;
    const figures = new Figures('rebalance-mid-slice');
    await untilShared(platform);
    const backlog = await keepBacklog(world, 'sms', 'alfa', count(800, 10_000));
    const load = new Load(api, { p1PerSecond: 20, p2PerSecond: 5, seed: 2 });
    for (let round = 1; round <= count(1, 5); round++) {
      const before = sandbox.count((c) => c.pod === 'sms-2');
      await untilCalls(sandbox, before + 100, 'calls of sms-2', (c) => c.pod === 'sms-2');
      await platform.restart('sms-1');
      await untilShared(platform);
    }
    const { codes, repeats } = await endLoad(world, load, backlog, seconds(60, 240) * 1000);
    figures.note('P1 and P2', delaysLine(delays(codes, sandbox.calls)));
    figures.must('repeats', repeats, { atMost: 0 });
    await mustKeepContract(figures, sandbox);
    figures.hold();
  },
);
