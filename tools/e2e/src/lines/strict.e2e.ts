import { setTimeout as delay } from 'node:timers/promises';
import { untilCalls } from '../checks/progress.js';
import { Operator, untilAllShow } from '../client/operator.js';
import type { Call } from '../client/sandbox.js';
import { journey, type World } from '../journey.js';
import {
  delays,
  delaysLine,
  keepBacklog,
  Load,
  longestGap,
  nowMs,
  untilDrained,
  type SentMessage,
} from '../load/index.js';
import { MAX_BLOCK_MS } from '../platform/journey-catalogue.js';
import { count } from '../scale.js';
import { mustKeepContract, SMS_A_RATE } from './contract.js';
import { Figures } from './figures.js';

const P1_PART = 0.75;
/** Least part of R that a blocked class gets over any two of the longest blocks. */
const LEAST_PART = 0.01;

async function setMode({ platform, api }: World, mode: 'strict' | undefined): Promise<void> {
  const pods = (['sms-1', 'sms-2'] as const).map((pod) => new Operator(platform.urls.apps[pod]));
  const [pod] = pods as [Operator, Operator];
  const order = { reason: api.reference };
  if (mode) await pod.order('PUT', '/scopes/sms-a/mode', { ...order, mode });
  else await pod.order('DELETE', '/scopes/sms-a/mode', order);
  await untilAllShow(pods, mode ?? 'contention', async (p) => {
    return (await p.scope('sms-a')).mode === (mode ?? 'contention');
  });
}

const codesOf = (sent: readonly SentMessage[]): SentMessage[] => sent.filter((m) => m.priority === 'P1');

/** Least units that started in any window of this length between two moments. */
function leastInWindow(calls: readonly Call[], fromMs: number, toMs: number, windowMs: number): number {
  let least = Infinity;
  for (let start = fromMs; start + windowMs <= toMs; start += windowMs / 50) {
    const inside = calls.filter((c) => c.atEpochUs / 1000 >= start && c.atEpochUs / 1000 < start + windowMs);
    least = Math.min(
      least,
      inside.reduce((sum, c) => sum + c.units, 0),
    );
  }
  return least;
}

journey(
  'in mode strict codes at three quarters of the rate block orders and promos no longer than the longest block',
  ['sms-1', 'sms-2', 'ingest-api'],
  async (world) => {
    const { api, platform, sandbox } = world;
    const figures = new Figures('strict');
    await untilDrained(platform, ['sms-1', 'sms-2']);
    const backlog = await keepBacklog(world, 'sms', 'alfa', 800, { ttl: `PT${count(40, 400)}S` });
    await untilCalls(sandbox, 50, 'promos', (c) => c.priority === 'P3');
    await setMode(world, 'strict');
    try {
      const load = new Load(api, { p1PerSecond: P1_PART * SMS_A_RATE, p2PerSecond: 5, seed: 31 });
      const from = nowMs();
      await delay(3.1 * MAX_BLOCK_MS); // the length of the measurement
      const to = nowMs();
      const sent = await load.stop();
      expect(load.refusals).toEqual([]);
      const lost = (): number => delays(codesOf(sent), sandbox.calls).lost;
      for (let i = 0; i < 50 && (await sandbox.see(), lost() > 0); i++) await delay(100);
      const starts = (priority: string): Call[] =>
        sandbox.calls.filter((c) => c.priority === priority && c.account === 'sms-a');
      figures.note(`codes at ${P1_PART * SMS_A_RATE}/s`, delaysLine(delays(codesOf(sent), sandbox.calls)));
      figures.must('codes lost', lost(), { atMost: 0 });
      for (const priority of ['P2', 'P3']) {
        figures.must(`longest time without a ${priority}, ms`, longestGap(starts(priority), from, to), {
          atMost: MAX_BLOCK_MS,
          short: { atMost: 1.25 * MAX_BLOCK_MS },
        });
        // P2 that waits no more, as all of it has gone, needs no share
        if (priority === 'P2') continue;
        const windowMs = 2 * MAX_BLOCK_MS;
        const least = leastInWindow(starts(priority), from, to, windowMs);
        figures.must(
          `least part of R for ${priority} over any ${windowMs / 1000} s`,
          least / (SMS_A_RATE * (windowMs / 1000)),
          { atLeast: LEAST_PART },
        );
      }
      await mustKeepContract(figures, sandbox);
    } finally {
      await setMode(world, undefined);
      await backlog.stop();
    }
    await untilDrained(platform, ['sms-1', 'sms-2'], 300_000);
    figures.hold();
  },
);
