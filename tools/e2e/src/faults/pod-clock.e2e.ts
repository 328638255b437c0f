import path from 'node:path';
import { untilAllEnded } from '../checks/conservation.js';
import { untilCalls } from '../checks/progress.js';
import { journey, type World } from '../journey.js';
import { mustKeepContract, sentTooLate } from '../lines/contract.js';
import { Figures } from '../lines/figures.js';
import { delays, delaysLine, Load } from '../load/index.js';
import { count, seconds } from '../scale.js';
import { untilShared } from './sms-pods.js';

const SHIFT_CLOCK = path.resolve(__dirname, '../../preload/shift-clock.cjs');
/** Short-lived promos: more than can be sent in their time. */
const LIFE_S = 5;

const shifted = (shiftMs: number): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--require ${SHIFT_CLOCK}`,
  CLOCK_SHIFT_MS: String(shiftMs),
});

async function underShift(world: World, figures: Figures): Promise<void> {
  const { api, sandbox } = world;
  const load = new Load(api, { p1PerSecond: 20, p2PerSecond: 5, seed: 3 });
  const promos: string[] = [];
  for (let sent = 0; sent < count(1, 5); sent++)
    promos.push(
      ...(await api.batch('sms', 1_000, { ttl: `PT${LIFE_S}S` })),
      ...(await api.batch('sms', 800, { ttl: `PT${LIFE_S}S` })),
    );
  await untilCalls(sandbox, 100, 'calls of the pod', (c) => c.pod === 'sms-1');
  const states = await untilAllEnded(api, promos, { deadlineMs: seconds(60, 120) * 1000 });
  const codes = await load.stop();
  expect(load.refusals).toEqual([]);
  expect(
    await untilAllEnded(
      api,
      codes.map((m) => m.id),
      { deadlineMs: 30_000 },
    ),
  ).toEqual({ delivered: codes.length });
  await sandbox.see();
  const figure = delays(codes, sandbox.calls);
  figures.note('P1 and P2', delaysLine(figure));
  figures.note('promos', JSON.stringify(states));
  figures.must('P1 and P2 lost or doubled', figure.lost + figure.doubled, { atMost: 0 });
  figures.must(
    'promos that are neither delivered nor expired',
    promos.length - (states['delivered'] ?? 0) - (states['expired'] ?? 0),
    { atMost: 0 },
  );
  figures.must('calls after the expiry', sentTooLate(sandbox), { atMost: 0 });
  // both pods send until the promos expire: one whose clock is ahead must not let them expire early
  const lastMs = (pod: string): number =>
    sandbox.calls.findLast((c) => c.pod === pod && c.priority === 'P3')?.atEpochUs ?? NaN;
  figures.must(
    'the pod ends sending promos so long before the other, s',
    (lastMs('sms-2') - lastMs('sms-1')) / 1e6,
    { atMost: 1 },
  );
  await mustKeepContract(figures, sandbox);
}

/** It says so itself; what it sends is right nevertheless. */
async function expectUnfit({ platform }: World, how: string): Promise<void> {
  const ready = await fetch(`${platform.urls.apps['sms-1']}/health/ready`);
  expect(ready.status).toBe(503);
  expect(await ready.text()).toContain(`clock is 5.0 s ${how}`);
  expect((await fetch(`${platform.urls.apps['sms-2']}/health/ready`)).status).toBe(200);
}

for (const [name, shiftMs] of [
  ['ahead', 5_000],
  ['behind', -5_000],
] as const) {
  journey(
    `a pod whose clock is 5 s ${name} is not ready, and yet sends nothing after its expiry and keeps rate and delivery`,
    ['sms-1', 'sms-2'],
    async (world) => {
      const figures = new Figures(`pod-clock ${name}`);
      try {
        await world.platform.relaunch('sms-1', shifted(shiftMs));
        await untilShared(world.platform);
        await expectUnfit(world, name);
        await underShift(world, figures);
      } finally {
        await world.platform.restart('sms-1');
      }
      figures.hold();
    },
  );
}
