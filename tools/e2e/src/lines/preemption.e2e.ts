import { quantiles } from '@commservice/testkit';
import { untilCalls } from '../checks/progress.js';
import type { Call } from '../client/sandbox.js';
import { journey, type World } from '../journey.js';
import { keepBacklog, nowMs, untilDrained } from '../load/index.js';
import { count } from '../scale.js';
import { mustKeepContract, SMS_A_RATE } from './contract.js';
import { Figures } from './figures.js';
import { pressAfterMs, pressDelaysMs } from './press.js';

const BURST = 600;
const PODS = 2;
const HOLD_MS = 100;
/** From when on lower classes must have stopped (promise 2), after the first code pressed. */
const STOPPED_MS = 500;

/** All codes at once, each with the time at which it was accepted: that of its 202. */
async function burst({ api }: World): Promise<{ id: string; acceptedAtMs: number }[]> {
  const one = async (): Promise<{ id: string; acceptedAtMs: number }> => {
    const id = await api.send('sms', 'P1');
    return { id, acceptedAtMs: nowMs() };
  };
  return Promise.all(Array.from({ length: BURST }, one));
}

const atMs = (c: Call): number => c.atEpochUs / 1000;

interface Round {
  readonly pressMs: readonly number[];
  readonly late: number;
  readonly resumeMs: number;
  readonly tookMs: number;
  /** Codes that another account took. */
  readonly elsewhere: number;
}

async function round(world: World): Promise<Round> {
  const { sandbox } = world;
  const promo = (c: Call): boolean => c.priority === 'P3';
  const from = sandbox.calls.length;
  await untilCalls(sandbox, sandbox.count(promo) + 50, 'promos', promo);
  const codes = await burst(world);
  const ids = new Set(codes.map((m) => m.id));
  const code = (c: Call): boolean => ids.has(c.id) && c.outcome === 'accepted';
  await untilCalls(sandbox, BURST, 'codes', code);
  await untilCalls(sandbox, sandbox.count(promo) + 20, 'promos after the codes', promo);
  const all = sandbox.calls.slice(from);
  const own = all.filter((c) => c.account === 'sms-a');
  const lower = own.filter((c) => c.priority !== 'P1');
  const lastMs = Math.max(...own.filter(code).map(atMs));
  const firstPressMs = Math.min(...codes.map((m) => m.acceptedAtMs)) + pressAfterMs(SMS_A_RATE, PODS);
  return {
    pressMs: pressDelaysMs(codes, all, pressAfterMs(SMS_A_RATE, PODS)),
    late: lower.filter((c) => atMs(c) > firstPressMs + STOPPED_MS && atMs(c) < lastMs).length,
    resumeMs: (lower.map(atMs).find((t) => t > lastMs) ?? Infinity) - lastMs,
    tookMs: lastMs - Math.min(...codes.map((m) => m.acceptedAtMs)),
    elsewhere: BURST - own.filter(code).length,
  };
}

journey(
  'a burst of codes that needs the whole account stops promos at once on every pod, and they come back at once after it',
  ['sms-1', 'sms-2', 'ingest-api'],
  async (world) => {
    const { platform, sandbox } = world;
    const figures = new Figures('preemption');
    await untilDrained(platform, ['sms-1', 'sms-2']);
    const backlog = await keepBacklog(world, 'sms', 'alfa', count(1_000, 100_000), {
      ttl: `PT${count(15, 200)}S`,
    });
    const rounds: Round[] = [];
    for (let n = 0; n < count(1, 12); n++) rounds.push(await round(world));
    await backlog.stop();
    const press = quantiles(rounds.flatMap((r) => r.pressMs));
    figures.note('codes that waited long enough to press', press.n);
    figures.must('press to the last lower-class start, p99, ms', press.p99, {
      atMost: 200,
      short: { atMost: 500 },
    });
    figures.must('press to the last lower-class start, max, ms', press.max, {
      atMost: 500,
      short: { atMost: 1_000 },
    });
    const late = rounds.reduce((sum, r) => sum + r.late, 0);
    figures.must(`lower-class starts from ${STOPPED_MS} ms after the press until the last code`, late, {
      atMost: 0,
      short: { atMost: 5 },
    });
    const resume = quantiles(rounds.map((r) => r.resumeMs));
    figures.must(`last code to the first promo, hold of ${HOLD_MS} ms included, max, ms`, resume.max, {
      atMost: HOLD_MS + 250,
      short: { atMost: 1_000 },
    });
    const took = quantiles(rounds.map((r) => r.tookMs));
    figures.note(`${BURST} codes took, ideally ${(BURST / SMS_A_RATE) * 1000} ms, max, ms`, took.max);
    figures.note(
      'codes that went to the other account',
      rounds.reduce((sum, r) => sum + r.elsewhere, 0),
    );
    await mustKeepContract(figures, sandbox);
    await untilDrained(platform, ['sms-1', 'sms-2'], 600_000);
    figures.hold();
  },
);
