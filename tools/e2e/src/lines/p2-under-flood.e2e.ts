import { setTimeout as delay } from 'node:timers/promises';
import { journey, type World } from '../journey.js';
import {
  delays,
  delaysLine,
  keepBacklog,
  Load,
  nowMs,
  untilDrained,
  type Delays,
  type SentMessage,
} from '../load/index.js';
import { count, seconds } from '../scale.js';
import { mustKeepContract, SMS_A_RATE } from './contract.js';
import { Figures } from './figures.js';

const PODS = 2;
/** A tail on a machine that other things use too. */
const SHORT_P1_MS = 250;

/** The load alone for so long; what was sent. */
async function measure(
  { api, sandbox }: World,
  lengthS: number,
  seed: number,
): Promise<readonly SentMessage[]> {
  const load = new Load(api, { p1PerSecond: 20, p2PerSecond: count(20, 5), seed });
  await delay(lengthS * 1000); // the length of the measurement
  const sent = await load.stop();
  expect(load.refusals).toEqual([]);
  // what was accepted last is on its way
  for (let i = 0; i < 50 && delays(sent, await sandbox.see()).lost > 0; i++) await delay(100);
  return sent;
}

const of = ({ sandbox }: World, sent: readonly SentMessage[], priority: string): Delays =>
  delays(
    sent.filter((m) => m.priority === priority),
    sandbox.calls,
  );

journey(
  'orders within their share are as fast under a flood of promos as without, and so are codes',
  ['sms-1', 'sms-2', 'ingest-api'],
  async (world) => {
    const { platform, sandbox } = world;
    const figures = new Figures('p2-under-flood');
    await untilDrained(platform, ['sms-1', 'sms-2']);
    await measure(world, 1, 11);
    const idle = await measure(world, seconds(4, 60), 12);
    // what is left of the backlog expires by itself
    const backlog = await keepBacklog(world, 'sms', 'alfa', count(1_000, 100_000), {
      ttl: `PT${count(20, 300)}S`,
    });
    const from = nowMs();
    const flood = await measure(world, seconds(5, 60), 13);
    const to = nowMs();
    await backlog.stop();
    const [p1Idle, p2Idle] = [of(world, idle, 'P1'), of(world, idle, 'P2')];
    const [p1, p2] = [of(world, flood, 'P1'), of(world, flood, 'P2')];
    const inFlood = sandbox.everything.filter(
      (c) =>
        c.account === 'sms-a' &&
        c.atEpochUs / 1000 >= from &&
        c.atEpochUs / 1000 < to &&
        c.outcome !== 'throttled',
    );
    const used = inFlood.reduce((sum, c) => sum + c.units, 0) / ((to - from) / 1000) / SMS_A_RATE;
    figures.note('P1 idle', delaysLine(p1Idle));
    figures.note('P1 under flood', delaysLine(p1));
    figures.note('P2 idle', delaysLine(p2Idle));
    figures.note('P2 under flood', delaysLine(p2));
    figures.must('P2 p99 under flood, ms', p2.p99, { atMost: p2Idle.p99 + 1_000 });
    figures.must('P1 p99 under flood, ms', p1.p99, {
      atMost: Math.max(1.25 * p1Idle.p99, p1Idle.p99 + (2_000 * PODS) / SMS_A_RATE + 5),
      short: { atMost: p1Idle.p99 + SHORT_P1_MS },
    });
    const odd = [p1Idle, p2Idle, p1, p2].reduce((sum, d) => sum + d.lost + d.doubled, 0);
    figures.must('codes and orders lost or doubled', odd, { atMost: 0 });
    figures.must('part of R used under flood', used, { atLeast: 0.95, short: { atLeast: 0.8 } });
    await mustKeepContract(figures, sandbox);
    await untilDrained(platform, ['sms-1', 'sms-2'], 300_000);
    figures.hold();
  },
);
