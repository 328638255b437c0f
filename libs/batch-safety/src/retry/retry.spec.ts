import { HEADER, PRIORITIES, RETRY_PLAN, retryTierAfter, type RetryTier } from '@commservice/contracts';
import fc from 'fast-check';
import type { SourceRecord } from '../record.js';
import { RETRY_CAUSES, planRetry, type RetryInput } from './plan.js';
import { attemptsOf, buildRetryRecord, dueAt, retryTierOf } from './retry-record.js';

const input = (over: Partial<RetryInput> = {}): RetryInput => ({
  priority: 'P2',
  cause: 'retryable',
  attempts: 0,
  nowEpochMs: 1_000_000,
  expiresAt: 1_000_000 + 86_400_000,
  ...over,
});

describe('planRetry', () => {
  it.each(PRIORITIES)('walks the tiers of %s in their order and then is exhausted', (priority) => {
    const walked: string[] = [];
    let attempts = 0;
    for (;;) {
      const plan = planRetry(input({ priority, attempts }));
      attempts = plan.attempts;
      if (plan.kind !== 'retry') {
        expect(plan).toEqual({ kind: 'exhausted', attempts: RETRY_PLAN[priority].length + 1 });
        break;
      }
      walked.push(plan.tier.name);
    }
    expect(walked).toEqual(RETRY_PLAN[priority]);
  });

  it('counts a send of unknown effect as an attempt', () => {
    expect(planRetry(input({ cause: 'unknown', attempts: 1 }))).toMatchObject({ kind: 'retry', attempts: 2 });
  });

  it.each(['throttled', 'outage'] as const)('uses up no attempt when the cause is %s', (cause) => {
    expect(planRetry(input({ cause, attempts: 0 }))).toMatchObject({
      kind: 'retry',
      attempts: 0,
      tier: { name: '10s' },
    });
    expect(planRetry(input({ cause, attempts: 3 }))).toMatchObject({
      kind: 'retry',
      attempts: 3,
      tier: { name: '2m' },
    });
  });

  it('expires a message at once that would be due at or past its end', () => {
    const due = 1_000_000 + 10_000;
    expect(planRetry(input({ expiresAt: due })).kind).toBe('expires-first');
    expect(planRetry(input({ expiresAt: due + 1 })).kind).toBe('retry');
  });

  it('never plans past the expiry and never past the plan of the class', () => {
    const inputs = fc.record({
      priority: fc.constantFrom(...PRIORITIES),
      cause: fc.constantFrom(...RETRY_CAUSES),
      attempts: fc.integer({ min: 0, max: 10 }),
      nowEpochMs: fc.integer({ min: 0, max: 2_000_000 }),
      expiresAt: fc.integer({ min: 0, max: 3_000_000 }),
    });
    fc.assert(
      fc.property(inputs, (i) => {
        const plan = planRetry(i);
        if (plan.kind !== 'retry') return;
        expect(plan.dueAtEpochMs).toBeLessThan(i.expiresAt);
        expect(plan.attempts).toBeLessThanOrEqual(RETRY_PLAN[i.priority].length);
        expect(plan.attempts - i.attempts).toBe(i.cause === 'retryable' || i.cause === 'unknown' ? 1 : 0);
      }),
    );
  });
});

describe('retry records', () => {
  const record: SourceRecord & { key: Buffer } = {
    topic: 'commservice.push.messages.alfa.priority1',
    partition: 4,
    offset: 17,
    key: Buffer.from([0, 255, 1]),
    value: Buffer.from('{"x": 1 }'),
    headers: { [HEADER.id]: 'i', [HEADER.attempt]: '1', traceparent: '00-a' },
    timestamp: 5_000,
  };
  const lane = { channel: 'push', brand: 'alfa', priority: 'P1' } as const;
  const tier = retryTierAfter('P1', 1) as RetryTier;

  it('keep key, value and headers, count the attempt, and stay in their class and brand', () => {
    const out = buildRetryRecord(record, lane, tier, 2);
    expect(out.topic).toBe('commservice.push.messages.alfa.priority1.retry.2s');
    expect(out.key.equals(record.key)).toBe(true);
    expect(out.value?.equals(record.value as Buffer)).toBe(true);
    expect(out.headers).toEqual({ ...record.headers, [HEADER.attempt]: '2' });
    expect(attemptsOf(out.headers)).toBe(2);
  });

  it('are due one delay after their timestamp', () => {
    expect(dueAt(record, tier)).toBe(7_000);
  });

  it('tell lane and tier by their topic', () => {
    expect(retryTierOf('commservice.push.messages.alfa.priority1.retry.2s')).toEqual({ lane, tier });
    for (const topic of [
      record.topic,
      `${record.topic}.retry.9s`,
      'x.retry.2s',
      `dlq.${record.topic}.retry.2s`,
    ]) {
      expect(retryTierOf(topic)).toBeUndefined();
    }
  });

  it.each([undefined, '', '-1', '1e3', 'x', '99999999999'])(
    'read a malformed attempt header (%s) as none',
    (text) => {
      expect(attemptsOf(text === undefined ? {} : { [HEADER.attempt]: text })).toBe(0);
    },
  );
});
