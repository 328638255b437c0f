import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endLoad } from '../checks/end-load.js';
import { Operator, untilAllShow } from '../client/operator.js';
import { journey, type World } from '../journey.js';
import { SMS_A_RATE } from '../lines/contract.js';
import { Figures } from '../lines/figures.js';
import { arrivingAtMost, delays, delaysLine, keepBacklog, Load, nowMs, rateOf } from '../load/index.js';
import { count, seconds } from '../scale.js';
import { untilShared } from './sms-pods.js';

const RATE = /(sms-a:\s*\{\s*channel: sms,\s*ratePerSecond: )\d+/;
/** Pods agree on the smallest R of all; departures granted before the change are used up within this. */
const SETTLED_MS = 1_500;

/** Gives `sms-a` another R, in the catalogue of the running platform, under the next version. */
function changeRate({ platform }: World, rate: number): number {
  const file = path.join(platform.dataDir, 'catalogue.yaml');
  const text = readFileSync(file, 'utf8');
  const version = Number(/^version: (\d+)$/m.exec(text)?.[1]) + 1;
  if (!RATE.test(text)) throw new Error('the catalogue has no R of sms-a in the expected form');
  writeFileSync(file, text.replace(/^version: \d+$/m, `version: ${version}`).replace(RATE, `$1${rate}`));
  return version;
}

/** Changes R under load and measures what reached the provider while it held. */
async function under(world: World, figures: Figures, rate: number): Promise<void> {
  const { platform, sandbox } = world;
  const pods = (['sms-1', 'sms-2'] as const).map((pod) => new Operator(platform.urls.apps[pod]));
  const version = changeRate(world, rate);
  const showsIt = async (pod: Operator): Promise<boolean> => (await pod.view()).catalogue.version === version;
  const tookMs = await untilAllShow(pods, `version ${version} of the catalogue`, showsIt);
  await delay(SETTLED_MS); // what was granted under the contract before is used up
  const from = nowMs();
  await delay(seconds(3, 20) * 1000); // the length of the measurement
  const to = nowMs();
  await sandbox.see();
  const calls = sandbox.everything.filter((c) => c.atEpochUs / 1000 >= from && c.atEpochUs / 1000 < to);
  const { units } = rateOf(calls, 'sms-a');
  const all = calls.filter((c) => c.account === 'sms-a').reduce((sum, c) => sum + c.units, 0);
  figures.note(`change to ${rate}/s until both pods follow, ms`, tookMs);
  figures.must(`most units in any second at ${rate}/s`, units, {
    atMost: arrivingAtMost(rate),
    short: { atMost: 1.1 * rate },
  });
  figures.must(`part of ${rate}/s used`, all / ((to - from) / 1000) / rate, {
    atLeast: 0.95,
    short: { atLeast: 0.7 },
  });
}

journey(
  'R halved and doubled under load holds on both pods, and nothing is lost, doubled or refused for it',
  ['sms-1', 'sms-2'],
  async (world) => {
    const { api, sandbox } = world;
    const figures = new Figures('rate-changed');
    await untilShared(world.platform);
    const backlog = await keepBacklog(world, 'sms', 'alfa', count(800, 5_000));
    const load = new Load(api, { p1PerSecond: 20, p2PerSecond: 5, seed: 4 });
    try {
      await under(world, figures, SMS_A_RATE / 2);
      await sandbox.configure({ 'sms-a': { ratePerSecond: 2 * SMS_A_RATE } });
      await under(world, figures, 2 * SMS_A_RATE);
    } finally {
      changeRate(world, SMS_A_RATE);
    }
    const { codes, repeats } = await endLoad(world, load, backlog, seconds(60, 240) * 1000);
    figures.note('P1 and P2', delaysLine(delays(codes, sandbox.calls)));
    figures.must('repeats', repeats, { atMost: 0 });
    const refused = sandbox.count((c) => c.outcome === 'throttled');
    figures.must('calls refused for their rate', refused, { atMost: 0, short: { atMost: 4 } });
    figures.hold();
  },
);
