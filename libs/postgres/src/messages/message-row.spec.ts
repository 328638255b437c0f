import fc from 'fast-check';
import { STATUSES, isTerminal, supersedes, type MessageEvent } from '@commservice/contracts';
import { isStorable } from './event-order.js';
import { foldEvents, mergeRows, rowOf, type MessageRow } from './message-row.js';

const ID = '01900000-0000-7000-8000-000000000001';
const identity = {
  team: 'demo',
  channel: 'sms',
  brand: 'alfa',
  category: 'otp',
  kind: 'message',
  units: 1,
} as const;
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const anyEvent: fc.Arbitrary<MessageEvent> = fc
  .record({
    status: fc.constantFrom(...STATUSES),
    at: fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_005 }),
    generation: fc.integer({ min: 0, max: 2 }),
    attempt: optional(fc.integer({ min: 1, max: 4 })),
    account: optional(fc.constantFrom('sms-a', 'sms-b')),
    providerId: optional(fc.constantFrom('p1', 'p2')),
    code: optional(fc.constantFrom('x', 'y')),
    known: fc.boolean(),
  })
  .map(({ known, ...e }): MessageEvent => ({
    v: 1,
    id: ID,
    priority: 'P1',
    ...(known ? identity : {}),
    ...e,
  }));

const only = (rows: MessageRow[]): MessageRow => rows[0] as MessageRow;

describe('rows folded from events', () => {
  it('are the same for every order and every repetition of the same events', () => {
    fc.assert(
      fc.property(
        fc.array(anyEvent, { minLength: 1, maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        (events, dice) => {
          const shuffled = [...events, ...events.filter(() => dice.next().value % 2 === 0)]
            .map((e) => ({ e, key: dice.next().value as number }))
            .sort((a, b) => a.key - b.key)
            .map(({ e }) => e);
          expect(foldEvents(shuffled)).toEqual(foldEvents(events));
        },
      ),
    );
  });

  it('are the same however the events are cut into batches', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { minLength: 2, maxLength: 8 }), fc.nat(), (events, cut) => {
        const at = 1 + (cut % (events.length - 1));
        const parts = mergeRows(only(foldEvents(events.slice(at))), only(foldEvents(events.slice(0, at))));
        expect(parts).toEqual(only(foldEvents(events)));
      }),
    );
  });

  it('end in a status that no event supersedes', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { minLength: 1, maxLength: 8 }), (events) => {
        const row = only(foldEvents(events));
        const now = { generation: row.generation, status: row.status.status };
        expect(events.some((e) => supersedes(e, now))).toBe(false);
        expect(events.some((e) => e.status === now.status && e.generation === now.generation)).toBe(true);
      }),
    );
  });

  it('keep the first terminal status of a generation and the latest retry', () => {
    const at = (ms: number, status: MessageEvent['status'], attempt?: number) =>
      rowOf({ v: 1, id: ID, priority: 'P1', generation: 0, at: ms, status, attempt });
    const merge = (...rows: MessageRow[]) => rows.reduce(mergeRows);
    expect(merge(at(9, 'delivered'), at(5, 'undelivered')).status.status).toBe('undelivered');
    expect(merge(at(5, 'queued', 1), at(9, 'queued', 2)).status.at).toBe(9);
    expect(isTerminal('unconfirmed')).toBe(true);
  });

  it('take the account from the event that named it, though a receipt came before', () => {
    const receipt = rowOf({
      v: 1,
      id: ID,
      priority: 'P1',
      generation: 0,
      at: 9,
      status: 'delivered',
      providerId: 'p1',
    });
    const sent = rowOf({
      v: 1,
      id: ID,
      priority: 'P1',
      generation: 0,
      at: 5,
      status: 'sent',
      account: 'sms-a',
      providerId: 'p1',
      ...identity,
    });
    const row = mergeRows(receipt, sent);
    expect(row.status.status).toBe('delivered');
    expect(row.route).toMatchObject({ account: 'sms-a', providerId: 'p1' });
    expect(row.identity.team).toBe('demo');
  });
});

describe('events that no column can hold', () => {
  it.each([
    ['a negative time', { at: -1 }],
    ['an expiry beyond all calendars', { expiresAt: 1e18 }],
    ['a time beyond this century and the next', { at: 5e12 }],
    ['more attempts than an integer', { attempt: 2 ** 40 }],
    ['an endless generation', { generation: 2 ** 30 }],
  ])('%s is refused', (_name, fault) => {
    const event: MessageEvent = { v: 1, id: ID, priority: 'P1', generation: 0, at: 5, status: 'sent' };
    expect(isStorable(event)).toBe(true);
    expect(isStorable({ ...event, ...fault })).toBe(false);
  });
});
