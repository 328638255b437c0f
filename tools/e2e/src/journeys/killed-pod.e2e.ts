import { expectConserved } from '../checks/conservation.js';
import { untilCalls } from '../checks/progress.js';
import { journey, type World } from '../journey.js';

const SLOW_MS = 300;

/** Codes, orders and promos, posted together; all their ids. */
async function mixed(api: World['api'], p1: number, p2: number, p3: number): Promise<string[]> {
  const parts = await Promise.all([
    api.sendMany('sms', 'P3', p3),
    api.sendMany('sms', 'P2', p2),
    api.sendMany('sms', 'P1', p1),
  ]);
  return parts.flat();
}

/** Calls a pod had in the air, or answered and not yet committed, when it was killed. */
const inTheAir = ({ sandbox }: World, pod: string, killedAtMs: number, backMs: number): number =>
  sandbox.count(
    (c) => c.pod === pod && c.atEpochUs / 1000 > killedAtMs - backMs && c.atEpochUs / 1000 <= killedAtMs + 50,
  );

journey('kill -9 of a pod in mid-slice loses and doubles nothing', ['sms-2', 'sms-1'], async (world) => {
  const { api, platform, sandbox } = world;
  const ids = await mixed(api, 60, 200, 1_000);
  await untilCalls(sandbox, 150, 'calls of sms-1', (c) => c.pod === 'sms-1');
  const killedAt = performance.timeOrigin + performance.now();
  await platform.kill('sms-1');
  // the other pod takes over what the dead one had
  const before = sandbox.count((c) => c.pod === 'sms-2');
  await untilCalls(sandbox, before + 200, 'calls of sms-2', (c) => c.pod === 'sms-2');
  await platform.restart('sms-1');
  const repeats = await expectConserved(world, ids, { deadlineMs: 60_000 });
  // a commit or a claim reaches its server within a second
  expect(repeats).toBeLessThanOrEqual(inTheAir(world, 'sms-1', killedAt, 1_000));
});

journey(
  'kill -9 between the provider call and the commit repeats only what was in the air',
  ['sms-1', 'sms-2'],
  async (world) => {
    const { api, platform, sandbox } = world;
    await sandbox.configure({ 'sms-a': { latencyMs: SLOW_MS } });
    const ids = await mixed(api, 60, 200, 400);
    await untilCalls(sandbox, 100, 'calls of sms-2', (c) => c.pod === 'sms-2' && c.outcome === 'accepted');
    const killedAt = performance.timeOrigin + performance.now();
    await platform.kill('sms-2');
    await platform.restart('sms-2');
    await sandbox.reset();
    const repeats = await expectConserved(world, ids, { deadlineMs: 60_000 });
    expect(repeats).toBeLessThanOrEqual(inTheAir(world, 'sms-2', killedAt, SLOW_MS + 1_000));
    console.log(`repeats the provider recognised: ${repeats}`);
  },
);
