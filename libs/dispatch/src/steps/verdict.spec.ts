import type { Priority, SendResult } from '@commservice/contracts';
import type { LaneItem } from '../lane-item.js';
import { verdictOf } from './verdict.js';

const NOW = 1_800_000_000_000;
const error = { code: 'x', message: 'a plain sentence' };

function item(priority: Priority, attempts = 0, expiresAt = NOW + 3_600_000): LaneItem {
  return { message: { priority, expiresAt }, attempts } as LaneItem;
}

const context = { account: 'a', idempotent: true, providerDown: false, nowEpochMs: NOW };

describe('verdictOf', () => {
  it('takes an accepted send as sent, with the id the vendor gave', () => {
    const result: SendResult = { kind: 'accepted', providerIds: ['p-1'], units: 1, receipt: 'expected' };
    expect(verdictOf(result, item('P1'), context)).toEqual({
      kind: 'outcome',
      outcome: { kind: 'sent', account: 'a', providerId: 'p-1', receiptExpected: true },
    });
  });

  it.each(['throttled', 'misconfigured'] as const)(
    'keeps the record first in line, uncounted, when the account is %s',
    (kind) => {
      const result = { kind, scope: 'account', error } as SendResult;
      expect(verdictOf(result, item('P3'), context)).toEqual({ kind: 'again' });
    },
  );

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
});
