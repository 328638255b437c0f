import { until } from '@commservice/testkit';
import { endLoad } from '../checks/end-load.js';
import { untilCalls } from '../checks/progress.js';
import { untilOwnsAll } from '../checks/takeover.js';
import { untilShared } from '../faults/sms-pods.js';
import { journey, type World } from '../journey.js';
import { delays, delaysLine, keepBacklog, Load, nowMs, type Delays } from '../load/index.js';
import { count, seconds } from '../scale.js';

/** Design §2, promise 12: the longest time from accepted to the provider call. */
const ROLLING_MS = 1_000;
const KILLED_MS = 7_000;

const P1_PER_SECOND = 20;
const BACKLOG = count(1_000, 10_000);
const ROUNDS = count(1, 10);
/** Codes after each step, so that each is followed by undisturbed ones. */
const AFTER = seconds(1, 5) * P1_PER_SECOND;

/** How long the codes asked for during a step took, once the provider has had all of them and `AFTER` more. */
async function stepOf(
  { sandbox }: World,
  load: Load,
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
  const figures = delays(asked, sandbox.calls);
  console.log(`${name}, ${((toMs - fromMs) / 1000).toFixed(1)} s: ${delaysLine(figures)}`);
  return figures;
}

async function round(world: World, load: Load): Promise<void> {
  const { platform } = world;
  for (const pod of ['sms-1', 'sms-2'] as const) {
    const rolling = await stepOf(world, load, `restart of ${pod}`, async () => {
      await platform.restart(pod);
      await untilShared(platform);
    });
    expect(rolling.max).toBeLessThanOrEqual(ROLLING_MS);
  }
  const killed = await stepOf(world, load, 'kill -9 of sms-1', async () => {
    await platform.kill('sms-1');
    await untilOwnsAll(platform, 'sms-2');
  });
  expect(killed.max).toBeLessThanOrEqual(KILLED_MS);
  await platform.restart('sms-1');
  await untilShared(platform);
}

journey(
  'codes hardly wait while both sms pods are restarted, and soon go on after kill -9 of one, beside a backlog of promos',
  ['sms-1', 'sms-2'],
  async (world) => {
    const { api, sandbox } = world;
    const backlog = await keepBacklog(world, 'sms', 'alfa', BACKLOG);
    const load = new Load(api, { p1PerSecond: P1_PER_SECOND, p2PerSecond: 0, seed: 12 });
    await untilCalls(sandbox, P1_PER_SECOND, 'codes sent', (c) => c.priority === 'P1');
    for (let i = 0; i < ROUNDS; i++) await round(world, load);
    const { repeats } = await endLoad(world, load, backlog, 60_000 + BACKLOG * 10);
    console.log(`repeats the provider recognised: ${repeats}`);
  },
);
