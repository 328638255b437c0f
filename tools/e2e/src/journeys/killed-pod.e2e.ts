import { expectConserved } from '../checks/conservation.js';
import { Flow } from '../checks/flow.js';
import { untilCalls } from '../checks/progress.js';
import { untilOwnsAll } from '../checks/takeover.js';
import { journey, type World } from '../journey.js';

const SLOW_MS = 300;
/** A commit and a claim reach their servers within this. */
const STORED_MS = 1_000;
const FLOW = [
  { channel: 'sms', priority: 'P1' },
  { channel: 'sms', priority: 'P2' },
] as const;

/** Calls a pod had in the air, or answered and not yet stored, when it was killed. */
const inTheAir = ({ sandbox }: World, pod: string, killedAtMs: number, backMs: number): number =>
  sandbox.count((c) => {
    const agoMs = killedAtMs - c.atEpochUs / 1000;
    return c.pod === pod && agoMs < backMs && agoMs > -50;
  });

const nowMs = (): number => performance.timeOrigin + performance.now();

journey(
  'kill -9 of a pod in mid-slice, under codes, orders and promos, loses and doubles nothing',
  ['sms-2', 'sms-1'],
  async (world) => {
    const { api, platform, sandbox } = world;
    const promos = await api.sendMany('sms', 'P3', 1_200);
    const flow = new Flow(api, FLOW, 20);
    await untilCalls(sandbox, 150, 'calls of sms-1', (c) => c.pod === 'sms-1');
    await platform.kill('sms-1');
    const killedAt = nowMs();
    await untilOwnsAll(platform, 'sms-2');
    await platform.restart('sms-1');
    const { ids, refusals } = await flow.stop();
    expect(refusals).toEqual([]);
    const repeats = await expectConserved(world, [...promos, ...ids], { deadlineMs: 60_000 });
    expect(repeats).toBeLessThanOrEqual(inTheAir(world, 'sms-1', killedAt, STORED_MS));
    console.log(`repeats the provider recognised: ${repeats}`);
  },
);

journey(
  'kill -9 between the provider call and the commit repeats only what was in the air',
  ['sms-1', 'sms-2'],
  async (world) => {
    const { api, platform, sandbox } = world;
    await sandbox.configure({ 'sms-a': { latencyMs: SLOW_MS } });
    const promos = await api.sendMany('sms', 'P3', 600);
    const flow = new Flow(api, FLOW, 20);
    // a call is answered 300 ms after it is seen: what was just seen is neither answered nor committed
    await untilCalls(sandbox, 100, 'calls of sms-2', (c) => c.pod === 'sms-2' && c.outcome === 'accepted');
    await platform.kill('sms-2');
    const killedAt = nowMs();
    await platform.restart('sms-2');
    await sandbox.reset();
    const { ids, refusals } = await flow.stop();
    expect(refusals).toEqual([]);
    const repeats = await expectConserved(world, [...promos, ...ids], { deadlineMs: 60_000 });
    expect(repeats).toBeLessThanOrEqual(inTheAir(world, 'sms-2', killedAt, SLOW_MS + STORED_MS));
    console.log(`repeats the provider recognised: ${repeats}`);
  },
);
