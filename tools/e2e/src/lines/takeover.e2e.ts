import { until } from '@commservice/testkit';
import { endLoad } from '../checks/end-load.js';
import { untilCalls } from '../checks/progress.js';
import { untilOwnsAll } from '../checks/takeover.js';
import { untilShared } from '../faults/sms-pods.js';
import { journey, type World } from '../journey.js';
import { delays, delaysLine, keepBacklog, Load, nowMs, type Delays } from '../load/index.js';
import { count, seconds } from '../scale.js';
import { mustKeepContract } from './contract.js';
import { Figures } from './figures.js';

/** Design §2, promise 12: the longest time from accepted to the provider call. */
const ROLLING_MS = 1_000;
const KILLED_MS = 7_000;

const P1_PER_SECOND = 20;
const BACKLOG = count(1_000, 10_000);
const ROUNDS = count(1, 5);
/** Codes after each step, so that each is followed by undisturbed ones; no longer, as a vendor repeats receipts for 20 s. */
const AFTER = seconds(1, 2) * P1_PER_SECOND;

/** How long the codes asked for during a step took, once the provider has had all of them and `AFTER` more. */
async function stepOf(
  { sandbox }: World,
  load: Load,
  figures: Figures,
  name: string,
  run: () => Promise<void>,
): Promise<Delays> {
  const fromMs = nowMs();
  await run();
  const toMs = nowMs();
  const codes = sandbox.count((c) => c.priority === 'P1') + AFTER;
  await untilCalls(sandbox, codes, `codes until after ${name}`, (c) => c.priority === 'P1');
  const asked = load.sent.filter((m) => m.askedAtMs >= fromMs && m.askedAtMs < toMs);
  const late = (): number => delays(asked, sandbox.calls).lost;
  await until(async () => (await sandbox.see(), late() === 0), {
    deadlineMs: 20_000,
    describe: () => `${late()} codes of ${name} have not been called`,
  });
  const took = delays(asked, sandbox.calls);
  figures.note(`${name}, ${((toMs - fromMs) / 1000).toFixed(1)} s`, delaysLine(took));
  return took;
}

interface Longest {
  rollingMs: number;
  killedMs: number;
}

async function round(world: World, load: Load, figures: Figures, longest: Longest): Promise<void> {
  const { platform } = world;
  for (const pod of ['sms-1', 'sms-2'] as const) {
    const rolling = await stepOf(world, load, figures, `restart of ${pod}`, async () => {
      await platform.restart(pod);
      await untilShared(platform);
    });
    longest.rollingMs = Math.max(longest.rollingMs, rolling.max);
  }
  const killed = await stepOf(world, load, figures, 'kill -9 of sms-1', async () => {
    await platform.kill('sms-1');
    await untilOwnsAll(platform, 'sms-2');
  });
  longest.killedMs = Math.max(longest.killedMs, killed.max);
  await platform.restart('sms-1');
  await untilShared(platform);
}

journey(
  'codes hardly wait while both sms pods are restarted, and soon go on after kill -9 of one, beside a backlog of promos',
  ['sms-1', 'sms-2'],
  async (world) => {
    const { api, sandbox } = world;
    const figures = new Figures('takeover');
    const backlog = await keepBacklog(world, 'sms', 'alfa', BACKLOG);
    const load = new Load(api, { p1PerSecond: P1_PER_SECOND, p2PerSecond: 0, seed: 12 });
    await untilCalls(sandbox, P1_PER_SECOND, 'codes sent', (c) => c.priority === 'P1');
    const longest = { rollingMs: 0, killedMs: 0 };
    for (let i = 0; i < ROUNDS; i++) await round(world, load, figures, longest);
    const { repeats } = await endLoad(world, load, backlog, 60_000 + BACKLOG * 10);
    figures.must('longest code while a pod restarts, ms', longest.rollingMs, { atMost: ROLLING_MS });
    figures.must('longest code from kill -9 of a pod on, ms', longest.killedMs, { atMost: KILLED_MS });
    figures.note('repeats, all recognised by the provider', repeats);
    await mustKeepContract(figures, sandbox);
    figures.hold();
  },
);
