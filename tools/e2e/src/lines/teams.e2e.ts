import { untilCalls } from '../checks/progress.js';
import type { Call } from '../client/sandbox.js';
import { journey } from '../journey.js';
import { untilDrained } from '../load/index.js';
import { SECOND_TEAM_KEY } from '../platform/journey-catalogue.js';
import { count } from '../scale.js';
import { mustKeepContract } from './contract.js';
import { Figures } from './figures.js';

journey(
  'a team that comes second gets half of the starts while the first still has promos queued',
  ['sms-1', 'sms-2'],
  async (world) => {
    const { api, platform, sandbox } = world;
    const figures = new Figures('teams');
    await untilDrained(platform, ['sms-1', 'sms-2']);
    const second = api.as(SECOND_TEAM_KEY);
    // both fit into the lane queues: what lies ahead in a partition stays ahead
    const [many, few] = [count(1_600, 8_000), count(600, 3_000)];
    const theirs = { first: new Set<string>(), second: new Set<string>() };
    for (const id of await api.sendMany('sms', 'P3', many)) theirs.first.add(id);
    for (const id of await second.sendMany('sms', 'P3', few)) theirs.second.add(id);
    const ofSecond = (c: Call): boolean => theirs.second.has(c.id);
    await untilCalls(sandbox, few, 'promos of the second team', ofSecond, count(40_000, 120_000));
    const from = sandbox.calls.findIndex(ofSecond);
    const to = sandbox.calls.findLastIndex(ofSecond);
    const between = sandbox.calls.slice(from, to + 1);
    const left = many - sandbox.calls.slice(0, to).filter((c) => theirs.first.has(c.id)).length;
    figures.note('promos of the first team sent before the second had one', from);
    figures.must('promos of the first team still waiting at the end', left, { atLeast: 1 });
    figures.must(
      'share of the second team while both wait',
      between.filter(ofSecond).length / between.length,
      {
        atLeast: 0.45,
        short: { atLeast: 0.4 },
      },
    );
    await mustKeepContract(figures, sandbox);
    await untilDrained(platform, ['sms-1', 'sms-2'], 120_000);
    figures.hold();
  },
);
