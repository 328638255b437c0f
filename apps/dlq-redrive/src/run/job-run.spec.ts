import { systemClock } from '@commservice/contracts';
import type { ItemResult, RedriveItem, RedriveJob, RedriveState } from '@commservice/postgres';
import { noopMetrics, silentLogger } from '@commservice/telemetry';
import { JobRun, windowSize, type JobRunOptions } from './job-run.js';
import type { ReplayResult } from './replay.js';

const never = new AbortController().signal;
const job = (fields: Partial<RedriveJob> = {}): RedriveJob => ({
  ...{
    id: 'job',
    requestedBy: 'ops',
    reason: 'r',
    selector: { filter: {} },
    ratePerSecond: 200,
    state: 'running',
  },
  counters: {
    selected: 0,
    produced: 0,
    pending: 0,
    skipped: { expired: 0, gone: 0, already_redriven: 0, unreadable: 0 },
  },
  createdAt: 0,
  ...fields,
});

/** Items 1..n of a job, in memory, with the same rules as the database. */
function progressOf(count: number) {
  const pending = new Set(Array.from({ length: count }, (_, i) => i + 1));
  const item = (position: number): RedriveItem => ({
    ...{ position, claimed: true },
    deadLetter: {
      ...{
        id: `d${position}`,
        topic: 'dlq.commservice.sms.messages.priority2',
        partition: 0,
        recordOffset: position,
      },
      ...{ state: 'redriving', laneTopic: 'x', generation: 0, failedAt: 0, valueBytes: 0 },
    },
  });
  const state = { job: 'running' as RedriveState, finished: [] as string[] };
  const progress: JobRunOptions['progress'] = {
    take: (_id, size) => Promise.resolve([...pending].slice(0, size).map(item)),
    settle: (_id, results) => Promise.resolve(results.forEach((r) => void pending.delete(r.position))),
    finish: (_id, end) => Promise.resolve(void state.finished.push(end)),
    stateOf: () => Promise.resolve(state.job),
  };
  return { pending, progress, state };
}
const produced = (item: RedriveItem): ItemResult => ({
  ...{ kind: 'produced', position: item.position, deadLetterId: 'd' },
});
const runOf = (
  progress: JobRunOptions['progress'],
  item: (item: RedriveItem) => Promise<ReplayResult>,
  of = job(),
) =>
  new JobRun(of, {
    ...{ progress, replay: { item: (_job, i) => item(i) }, clock: systemClock, logger: silentLogger },
    ...{ metrics: noopMetrics(), pollMs: 5, retryMs: 1 },
  });

describe('a run of a redrive job', () => {
  it('replays every item once, window by window, and completes the job', async () => {
    const { progress, state, pending } = progressOf(120);
    const seen: number[] = [];
    const end = await runOf(progress, (item) => {
      seen.push(item.position);
      return Promise.resolve(produced(item));
    }).run(never);
    expect(end).toBe('completed');
    expect(state.finished).toEqual(['completed']);
    expect(seen).toEqual(Array.from({ length: 120 }, (_, i) => i + 1));
    expect(pending.size).toBe(0);
  });

  it('takes what had to wait again, and only that', async () => {
    const { progress } = progressOf(3);
    const seen: number[] = [];
    await runOf(progress, (item) => {
      seen.push(item.position);
      const later = item.position === 2 && seen.length < 5;
      return Promise.resolve(later ? { kind: 'later' } : produced(item));
    }).run(never);
    expect(seen).toEqual([1, 2, 3, 2, 2]);
  });

  it('produces nothing more once it is cancelled', async () => {
    const { progress, state, pending } = progressOf(1_000);
    let count = 0;
    const end = await runOf(progress, async (item) => {
      if (++count === 40) state.job = 'cancelling';
      await new Promise((resolve) => setTimeout(resolve, 5));
      return produced(item);
    }).run(never);
    expect(end).toBe('cancelled');
    expect(state.finished).toEqual(['cancelled']);
    expect(pending.size).toBeGreaterThan(800);
  });

  it('ends a job that was cancelled before it ran without touching an item', async () => {
    const { progress, state, pending } = progressOf(5);
    expect(
      await runOf(progress, (i) => Promise.resolve(produced(i)), job({ state: 'cancelling' })).run(never),
    ).toBe('cancelled');
    expect([state.finished, pending.size]).toEqual([['cancelled'], 5]);
  });

  it('leaves the job open when the process stops', async () => {
    const { progress, state } = progressOf(500);
    const stop = new AbortController();
    const end = await runOf(progress, (item) => {
      if (item.position === 30) stop.abort();
      return Promise.resolve(produced(item));
    }).run(stop.signal);
    expect(end).toBe('interrupted');
    expect(state.finished).toEqual([]);
  });

  it('keeps few results unstored at any rate', () => {
    expect([1, 50, 500].map(windowSize)).toEqual([1, 13, 50]);
  });
});
