import { setTimeout as delay } from 'node:timers/promises';
import { expectConserved } from '../checks/conservation.js';
import { untilCalls } from '../checks/progress.js';
import { journey } from '../journey.js';
import { Figures } from '../lines/figures.js';
import { mustKeepContract, sentTooLate } from '../lines/contract.js';
import { delays, delaysLine, keepBacklog, Load, nowMs } from '../load/index.js';
import { count, seconds } from '../scale.js';
import { untilShared } from './sms-pods.js';

/** A call is answered, committed and claimed within this. */
const STORED_MS = 1_000;

journey(
  'a pod that is frozen with a full queue for longer than its session sends no burst and doubles nothing when it goes on',
  ['sms-1', 'sms-2'],
  async (world) => {
    const { api, platform, sandbox } = world;
    const figures = new Figures('pod-frozen');
    await untilShared(platform);
    const backlog = await keepBacklog(world, 'sms', 'alfa', count(800, 10_000));
    const load = new Load(api, { p1PerSecond: 20, p2PerSecond: 5, seed: 1 });
    await untilCalls(sandbox, 100, 'calls of sms-1', (c) => c.pod === 'sms-1');
    await platform.kill('sms-1', 'SIGSTOP');
    const frozenAt = nowMs();
    await delay(seconds(8, 30) * 1000); // how long it is frozen
    await platform.kill('sms-1', 'SIGCONT');
    const thawedAt = nowMs();
    const own = (c: { pod: string; atEpochUs: number }, fromMs: number, toMs: number): boolean =>
      c.pod === 'sms-1' && c.atEpochUs / 1000 > fromMs && c.atEpochUs / 1000 < toMs;
    await untilCalls(sandbox, 50, 'calls of sms-1 after it goes on', (c) => own(c, thawedAt, Infinity));
    const codes = await load.stop();
    const promos = await backlog.stop();
    expect(load.refusals).toEqual([]);
    await untilShared(platform);
    const ids = [...promos, ...codes.map((m) => m.id)];
    const repeats = await expectConserved(world, ids, {
      deadlineMs: seconds(60, 240) * 1000,
    });
    const inTheAir = sandbox.count((c) => own(c, frozenAt - STORED_MS, frozenAt + 50));
    figures.note('P1 and P2', delaysLine(delays(codes, sandbox.calls)));
    figures.note(
      'calls of the pod in its first second after',
      sandbox.count((c) => own(c, thawedAt, thawedAt + 1_000)),
    );
    figures.must('repeats, all recognised by the provider', repeats, { atMost: inTheAir });
    figures.must('calls after the expiry', sentTooLate(sandbox), { atMost: 0 });
    await mustKeepContract(figures, sandbox);
    figures.hold();
  },
);
