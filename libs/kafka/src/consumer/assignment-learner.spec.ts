import type { Batch } from 'kafkajs';
import { silentLogger } from '@commservice/telemetry';
import { until } from '@commservice/testkit';
import type { TopicAdmin } from '../admin/topic-admin.js';
import type { FetchedRecord } from '../record.js';
import { AssignmentLearner } from './assignment-learner.js';
import { PartitionLedger } from './partition-ledger.js';
import { takeBatch } from './take-batch.js';

const batch = (...offsets: number[]): Batch =>
  ({
    topic: 't',
    partition: 0,
    highWatermark: '0',
    lastOffset: () => String(offsets.at(-1)),
    messages: offsets.map((offset) => ({
      offset: String(offset),
      key: null,
      value: null,
      headers: {},
      timestamp: '0',
    })),
  }) as unknown as Batch;

function learning(handOverMs: number) {
  let now = 0;
  let end = 10;
  let asked = 0;
  const ledger = new PartitionLedger();
  ledger.assign({ t: [0] });
  const admin = {
    committed: () => Promise.resolve(new Map([['t', new Map([[0, 0]])]])),
    ends: () => (asked++, Promise.resolve([{ partition: 0, low: 0, high: end }])),
  } as unknown as TopicAdmin;
  const learner = new AssignmentLearner({
    group: 'g',
    admin,
    ledger,
    logger: silentLogger,
    clock: { now: () => now, monotonic: () => now },
    handOverMs,
    commit: () => Promise.resolve(true),
    onStartCommitted: () => undefined,
  });
  const take = (...offsets: number[]): FetchedRecord[] => takeBatch(ledger, batch(...offsets));
  const pass = (ms: number, newEnd: number): void => void ((now += ms), (end = newEnd));
  return { ledger, learner, take, pass, asked: () => asked };
}

const fresh = (records: readonly FetchedRecord[]): number[] =>
  records.filter((r) => r.fresh).map((r) => r.offset);

describe('AssignmentLearner', () => {
  it('takes what comes after the end at the assignment for fresh, without a hand-over time', async () => {
    const { learner, take } = learning(0);
    await learner.learn({ t: [0] });
    expect(fresh(take(9, 10, 11))).toEqual([10, 11]);
  });

  it('takes nothing for fresh that was produced while an earlier owner may still go on', async () => {
    const { learner, ledger, take, pass, asked } = learning(20);
    await learner.learn({ t: [0] });
    expect(learner.startCommitted).toBe(true);
    const early = take(10, 11);
    pass(20, 13);
    await until(() => asked() > 1 && ledger.freshFrom('t', 0) < Infinity, { describe: 'the ends after it' });
    expect(fresh([...early, ...take(12, 13, 14)])).toEqual([13, 14]);
  });
});

describe('a record that waits', () => {
  it('is no longer fresh once ownership may have lapsed', async () => {
    const { learner, ledger, take } = learning(0);
    await learner.learn({ t: [0] });
    const waiting = take(10, 11);
    ledger.forgetFresh();
    expect(fresh(waiting)).toEqual([]);
  });
});
