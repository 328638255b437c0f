import type { Priority, SendResult } from '@commservice/contracts';
import type { LaneItem } from '../lane-item.js';
import { verdictOf } from './verdict.js';

const NOW = 1_800_000_000_000;
const error = { code: 'x', status: 500, message: 'a plain sentence' };
const unreached = { code: 'connect_timeout', message: 'nothing was sent' };

function item(priority: Priority, attempts = 0, expiresAt = NOW + 3_600_000): LaneItem {
  return { message: { priority, expiresAt }, attempts, route: 0, avoid: 0, returns: 0 } as LaneItem;
}

const context = {
  account: 'a',
  idempotent: true,
  providerDown: false,
  otherAccount: false,
  nowEpochMs: NOW,
};

describe('verdictOf', () => {
  it('takes an accepted send as sent, with the id the vendor gave', () => {
    const result: SendResult = { kind: 'accepted', providerIds: ['p-1'], units: 1, receipt: 'expected' };
    expect(verdictOf(result, item('P1'), context)).toEqual({
      kind: 'outcome',
      outcome: { kind: 'sent', account: 'a', providerId: 'p-1', receiptExpected: true },
    });
  });

  it('keeps the record first in line, uncounted, when the account is throttled', () => {
    const result: SendResult = { kind: 'throttled', scope: 'account', error };
    expect(verdictOf(result, item('P3'), context)).toEqual({ kind: 'again' });
  });

  it('keeps a record that a refused account failed first in line once, then lets others try', () => {
    const result: SendResult = { kind: 'misconfigured', scope: 'account', error };
    const down = { ...context, providerDown: true };
    expect(verdictOf(result, item('P3'), down)).toEqual({ kind: 'again' });
    const before = { ...item('P3', 3), avoid: 0b1 };
    expect(verdictOf(result, before, down)).toMatchObject({ outcome: { kind: 'retry', attempts: 3 } });
  });

  it('takes a refusal of the account for the record’s own while others are accepted', () => {
    const result: SendResult = { kind: 'misconfigured', scope: 'account', error };
    expect(verdictOf(result, item('P3'), context)).toMatchObject({ outcome: { kind: 'retry', attempts: 1 } });
    expect(verdictOf(result, item('P3', 3), context)).toMatchObject({ outcome: { kind: 'dead-letter' } });
    const other = { ...context, otherAccount: true };
    expect(verdictOf(result, item('P1'), other)).toEqual({ kind: 'again' });
  });

  it.each(['P1', 'P2', 'P3'] as const)(
    'counts no attempt of a %s when the vendor was not reached',
    (priority) => {
      const result: SendResult = { kind: 'retryable', error: unreached };
      for (const attempts of [0, 3])
        expect(verdictOf(result, item(priority, attempts), context)).toMatchObject({
          outcome: { kind: 'retry', attempts },
        });
    },
  );

  it.each([
    ['P1', false],
    ['P1', true],
    ['P3', true],
  ] as const)(
    'counts no send of unknown effect of a %s, idempotency %s, while the account is down',
    (priority, idempotent) => {
      const down = { ...context, providerDown: true, idempotent };
      expect(verdictOf({ kind: 'unknown', error }, item(priority, 3), down)).toMatchObject({
        outcome: { kind: 'retry', attempts: 3 },
      });
    },
  );

  it('does not repeat a P3 of unknown effect without idempotency, whatever the state of the account', () => {
    const down = { ...context, providerDown: true, idempotent: false };
    expect(verdictOf({ kind: 'unknown', error }, item('P3'), down)).toMatchObject({
      outcome: { kind: 'unconfirmed' },
    });
  });

  it('keeps a record first in line, uncounted, when its account failed it and another can take it', () => {
    const other = { ...context, otherAccount: true };
    expect(verdictOf({ kind: 'retryable', error }, item('P1'), other)).toEqual({ kind: 'again' });
  });

  it.each([
    ['P1', 0, '2s'],
    ['P1', 4, '2s'],
    ['P2', 0, '10s'],
    ['P2', 1, '2m'],
    ['P3', 0, '1m'],
    ['P3', 2, '15m'],
  ] as const)('sends a %s that failed %i times before to tier %s', (priority, attempts, tier) => {
    expect(verdictOf({ kind: 'retryable', error }, item(priority, attempts), context)).toMatchObject({
      outcome: { kind: 'retry', tier, attempts: attempts + 1 },
    });
  });

  it.each([
    ['P1', 5],
    ['P2', 3],
    ['P3', 3],
  ] as const)('dead-letters a %s after its %i planned retries', (priority, attempts) => {
    expect(verdictOf({ kind: 'retryable', error }, item(priority, attempts), context)).toMatchObject({
      outcome: { kind: 'dead-letter', disposition: 'retries_exhausted', attempts: attempts + 1 },
    });
  });

  it('lets a message expire rather than wait for a retry that comes too late', () => {
    expect(verdictOf({ kind: 'retryable', error }, item('P1', 0, NOW + 1_500), context)).toEqual({
      kind: 'outcome',
      outcome: { kind: 'expired', stage: 'retry' },
    });
  });

  it('blames the provider, not the record, while the account is down', () => {
    expect(
      verdictOf({ kind: 'retryable', error }, item('P2', 3), { ...context, providerDown: true }),
    ).toEqual({ kind: 'again' });
  });

  it.each([
    ['P1', true, 'retry'],
    ['P1', false, 'retry'],
    ['P3', true, 'retry'],
    ['P2', false, 'unconfirmed'],
    ['P3', false, 'unconfirmed'],
  ] as const)(
    'after a send of unknown effect, %s with idempotency %s becomes %s',
    (priority, idempotent, kind) => {
      expect(verdictOf({ kind: 'unknown', error }, item(priority), { ...context, idempotent })).toMatchObject(
        { outcome: { kind } },
      );
    },
  );

  it.each([
    ['message', 'rejected-message'],
    ['recipient', 'rejected-recipient'],
  ] as const)('dead-letters what the vendor refuses for this %s', (terminalFor, cls) => {
    expect(verdictOf({ kind: 'rejected', terminalFor, error }, item('P2'), context)).toMatchObject({
      outcome: { kind: 'dead-letter', disposition: 'rejected', failure: { class: cls, code: 'x' } },
    });
  });

  it('lets a narrow limit or a bad sender hold up nobody but the record it concerns', () => {
    const narrow: SendResult = { kind: 'throttled', scope: 'recipient', error };
    expect(verdictOf(narrow, item('P3'), context)).toMatchObject({ outcome: { kind: 'retry', attempts: 0 } });
    const sender: SendResult = { kind: 'misconfigured', scope: 'sender', error };
    expect(verdictOf(sender, item('P3'), context)).toMatchObject({ outcome: { kind: 'retry', attempts: 1 } });
    expect(verdictOf(sender, item('P3', 3), context)).toMatchObject({ outcome: { kind: 'dead-letter' } });
  });

  it('lets another record try an account that is down after one has tried it eight times', () => {
    const down = { ...context, providerDown: true };
    const result = { kind: 'retryable', error: { ...error, status: 503 } } as SendResult;
    expect(verdictOf(result, { ...item('P2', 3), returns: 7 }, down)).toEqual({ kind: 'again' });
    expect(verdictOf(result, { ...item('P2', 3), returns: 8 }, down)).toMatchObject({
      outcome: { kind: 'retry', attempts: 3 },
    });
  });
});
