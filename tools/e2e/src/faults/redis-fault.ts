import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@commservice/testkit';
import { expectConserved } from '../checks/conservation.js';
import { untilCalls } from '../checks/progress.js';
import type { World } from '../journey.js';
import { Figures } from '../lines/figures.js';
import { mustKeepContract, sentTooLate, SMS_A_RATE } from '../lines/contract.js';
import { delays, delaysLine, Load, nowMs, slowOnes, type SentMessage } from '../load/index.js';
import { seconds } from '../scale.js';
import { untilShared } from './sms-pods.js';

const PODS = ['sms-1', 'sms-2'] as const;
const LOAD = { p1PerSecond: 20, p2PerSecond: 5, seed: 8 };
const HEALTHY_S = seconds(3, 60);
/** Of the second load, before the fault and after it. */
const BEFORE_S = 1;
const AFTER_S = seconds(2, 15);
/** More than the rate leaves for promos, as a lone pod sends faster the more partitions it owns: some wait to the end. */
const PROMOS_PER_SECOND = 230;

/** One fault of Redis, and what it may cost. */
export interface RedisFault {
  /** Name of the fault in the table of a proof. */
  readonly name: string;
  readonly inject: () => Promise<unknown>;
  /** How long it lasts, s. Default 4, at full length 30. */
  readonly lastsS?: number;
  readonly heal: () => Promise<unknown>;
  /** Repeats of a message that the provider may recognise: where Redis forgot what was sent. Default 0. */
  readonly repeats?: number;
}

/** Whether each pod's tokens come from the coordinator again. */
async function untilCoordinated({ platform }: World): Promise<void> {
  const authorities = (): Promise<string[]> =>
    Promise.all(
      PODS.map(async (pod) => {
        const response = await fetch(`${platform.urls.apps[pod]}/lanes`, {
          signal: AbortSignal.timeout(2_000),
        });
        const { scopes } = (await response.json()) as { scopes: { scope: string; authority: string }[] };
        return scopes.find((s) => s.scope === 'sms-a')?.authority ?? 'none';
      }),
    );
  let shown: string[] = [];
  await until(async () => (shown = await authorities()).every((a) => a === 'coordinated'), {
    deadlineMs: 15_000,
    describe: () => `the authority over sms-a is ${shown.join(' and ')}`,
  });
}

const ofP1 = (sent: readonly SentMessage[]): SentMessage[] => sent.filter((m) => m.priority === 'P1');

/**
 * Promise 6 for one fault: the same load on the same backlog with Redis healthy, then with the fault and its end. No code
 * is lost, none waits longer than 1.2 times as long as with a healthy Redis, the contract rate holds, and promos go on.
 */
export async function underRedisFault(world: World, fault: RedisFault): Promise<void> {
  const { api, platform, sandbox } = world;
  const figures = new Figures(fault.name);
  const lastsS = fault.lastsS ?? seconds(4, 30);
  await untilShared(platform);
  await untilCoordinated(world);
  const promos = await api.sendMany(
    'sms',
    'P3',
    Math.ceil(PROMOS_PER_SECOND * (HEALTHY_S + BEFORE_S + lastsS + AFTER_S)),
  );
  await untilCalls(sandbox, 50, 'promos', (c) => c.priority === 'P3');
  const healthy = new Load(api, LOAD);
  await delay(HEALTHY_S * 1000); // the length of a load, as all below
  const before = await healthy.stop();
  const faulty = new Load(api, LOAD);
  await delay(BEFORE_S * 1000);
  const from = nowMs();
  try {
    await fault.inject();
    await delay(Math.max(0, from + lastsS * 1000 - nowMs()));
  } finally {
    // whatever came: the next journey finds a healthy Redis
    await fault.heal();
  }
  const to = nowMs();
  await delay(AFTER_S * 1000);
  const during = await faulty.stop();
  await untilCoordinated(world);
  expect([...healthy.refusals, ...faulty.refusals]).toEqual([]);
  const ids = [...promos, ...before.map((m) => m.id), ...during.map((m) => m.id)];
  const repeats = await expectConserved(world, ids, { deadlineMs: seconds(60, 300) * 1000 });

  const well = delays(ofP1(before), sandbox.calls);
  const ill = delays(
    ofP1(during).filter((m) => m.askedAtMs >= from - 50),
    sandbox.calls,
  );
  const inFault = ofP1(during).filter((m) => m.askedAtMs >= from - 50 && m.askedAtMs < to);
  figures.note('P1 with Redis healthy', delaysLine(well));
  figures.note('P1 while the fault lasts', delaysLine(delays(inFault, sandbox.calls)));
  figures.note('P1 from the fault on', delaysLine(ill));
  figures.note('P1 p99, times healthy', ill.p99 / well.p99);
  figures.must('P1 p99 from the fault on, ms', ill.p99, {
    atMost: 1.2 * well.p99,
    // of 140 codes the second worst: one slow moment of a shared machine, or one silence that nothing bridged (0.5 s)
    short: { atMost: well.p99 + 700 },
  });
  figures.note('P1 max from the fault on, ms', ill.max);
  const slow = slowOnes(ofP1(during), sandbox.calls, 2 * well.p99, from);
  figures.note(
    `P1 slower than twice the healthy p99: ms after the fault (it ended at ${Math.round(to - from)}) + ms it took`,
    slow.map((s) => `${Math.round(s.atMs)}+${Math.round(s.tookMs)}`).join(' ') || 'none',
  );
  figures.must('P1 lost', well.lost + ill.lost, { atMost: 0 });
  figures.must('sent twice', well.doubled + ill.doubled, { atMost: 0 });
  figures.must('repeats, all recognised by the provider', repeats, { atMost: fault.repeats ?? 0 });
  const p3 = sandbox.count(
    (c) => c.priority === 'P3' && c.atEpochUs / 1000 >= from && c.atEpochUs / 1000 < to,
  );
  figures.must('promos a second while it lasts', (p3 * 1000) / (to - from), { atLeast: SMS_A_RATE / 2 });
  figures.must('calls after the expiry', sentTooLate(sandbox), { atMost: 0 });
  await mustKeepContract(figures, sandbox);
  figures.hold();
}
