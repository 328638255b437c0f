import { randomUUID } from 'node:crypto';
import type { MessageEvent } from '@commservice/contracts';
import { migratedPostgres, type MigratedPostgres } from '../../test/migrated-postgres.js';
import type { Postgres } from '../postgres.js';
import { searchSql } from './search-sql.js';
import { MessageStore } from './message-store.js';
import { imbalance, sweep } from './sweeper.js';

let n = 0;
const T0 = 1_790_000_000_000;
/** Ids that count up, as UUIDv7 does. */
const newId = (): string => `019a0000-0000-7000-8000-${(++n).toString(16).padStart(12, '0')}`;
const event = (id: string, fields: Partial<MessageEvent> = {}): MessageEvent => ({
  ...{
    v: 1,
    id,
    status: 'accepted',
    at: T0,
    generation: 0,
    priority: 'P2',
    team: 'demo',
    channel: 'sms',
    brand: 'alfa',
  },
  ...{ category: 'order', kind: 'message', units: 1, acceptedAt: T0, expiresAt: T0 + 60_000 },
  ...fields,
});
const receipt = (id: string, fields: Partial<MessageEvent> = {}): MessageEvent => ({
  ...{ v: 1, id, status: 'delivered', at: T0 + 9, generation: 0, priority: 'P2', providerId: 'p' },
  ...fields,
});

describe('MessageStore on PostgreSQL', () => {
  let database: MigratedPostgres;
  let postgres: Postgres;
  let store: MessageStore;

  beforeAll(async () => {
    database = await migratedPostgres();
    ({ postgres } = database);
    store = new MessageStore(postgres);
  });
  afterAll(() => database.close());

  it('ends in the same row for every order of the same events, one at a time or all at once', async () => {
    const story = (id: string): MessageEvent[] => [
      event(id),
      event(id, { status: 'queued', at: T0 + 3, attempt: 1, account: 'sms-a', code: 'busy' }),
      event(id, {
        status: 'sent',
        at: T0 + 5,
        attempt: 2,
        account: 'sms-b',
        providerId: 'p',
        receiptExpected: true,
        traceId: 'ab',
      }),
      receipt(id),
      receipt(id, { status: 'undelivered', at: T0 + 10, code: 'late' }),
    ];
    const seen = new Set<string>();
    const look = async (id: string): Promise<void> => {
      const { id: _id, ...row } = (await store.byId('demo', id)) ?? { id };
      seen.add(JSON.stringify({ ...row, events: (await store.events('demo', id)).length }));
    };
    for (const order of permutations([0, 1, 2, 3, 4])) {
      const id = newId();
      const events = story(id);
      for (const i of order) await store.apply([events[i] as MessageEvent]);
      await store.apply(events);
      await look(id);
    }
    const atOnce = newId();
    await store.apply(story(atOnce).reverse());
    await look(atOnce);
    expect([...seen]).toHaveLength(1);
    expect(JSON.parse([...seen][0] as string)).toMatchObject({
      ...{
        status: 'delivered',
        statusAt: T0 + 9,
        attempt: 2,
        account: 'sms-b',
        traceId: 'ab',
        acceptedAt: T0,
        events: 5,
      },
    });
  });

  it('tells which messages moved, and nothing for an event it has seen', async () => {
    const id = newId();
    const first = await store.apply([event(id), event(id, { status: 'sent', account: 'a' })]);
    expect(first.changed).toEqual([
      { id, team: 'demo', priority: 'P2', status: 'sent', generation: 0, statusAt: T0 },
    ]);
    expect((await store.apply([event(id)])).changed).toEqual([]);
    expect(await store.events('demo', id)).toHaveLength(2);
  });

  it('leaves `failed` for a higher generation only', async () => {
    const id = newId();
    await store.apply([
      event(id, { status: 'failed', code: 'gone' }),
      event(id, { status: 'queued', at: T0 + 50 }),
    ]);
    expect(await store.byId('demo', id)).toMatchObject({ status: 'failed', code: 'gone', generation: 0 });
    await store.apply([event(id, { status: 'queued', at: T0 + 60, generation: 1 })]);
    await store.apply([receipt(id, { status: 'undelivered', at: T0 + 99 })]);
    const moved = await store.byId('demo', id);
    expect(moved).toMatchObject({ status: 'queued', generation: 1 });
    expect(moved).not.toHaveProperty('code');
  });

  it('keeps a receipt that came first as a row no team can see until an event completes it', async () => {
    const id = newId();
    await store.apply([receipt(id)]);
    expect(await store.byId('demo', id)).toBeUndefined();
    await store.apply([event(id)]);
    expect(await store.byId('demo', id)).toMatchObject({
      status: 'delivered',
      brand: 'alfa',
      acceptedAt: T0,
    });
  });

  it("does not show another team's message, event or search result", async () => {
    const id = newId();
    await store.apply([event(id, { reference: 'secret-ref' })]);
    expect(await store.byId('other', id)).toBeUndefined();
    expect(await store.events('other', id)).toEqual([]);
    expect(await store.search({ team: 'other', reference: 'secret-ref' })).toEqual({
      kind: 'page',
      messages: [],
    });
  });

  it('stores texts that PostgreSQL would refuse, and counts numbers that fit no column', async () => {
    const [good, bad] = [newId(), newId()];
    const odd = { reference: 'a\0b\ud800c', metadata: { 'k\0': 'v\ud800' } };
    const result = await store.apply([event(good, odd), event(bad, { at: 1e300 })]);
    expect(result.refused.map((e) => e.id)).toEqual([bad]);
    expect(await store.byId('demo', good)).toMatchObject({
      reference: 'ab\ufffdc',
      metadata: { k: 'v\ufffd' },
    });
  });

  it('pages through a search without gap or repetition while messages arrive, heartbeats left out', async () => {
    const ids = Array.from({ length: 25 }, newId);
    await store.apply(
      ids.map((id, i) => event(id, { reference: 'page', kind: i === 3 ? 'heartbeat' : 'message' })),
    );
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.search({ team: 'demo', reference: 'page', limit: 7, cursor });
      if (page.kind !== 'page') throw new Error(page.kind);
      seen.push(...page.messages.map((m) => m.id));
      cursor = page.nextCursor;
      await store.apply([event(newId(), { reference: 'page' })]);
    } while (cursor);
    expect(seen).toEqual(ids.filter((_id, i) => i !== 3).reverse());
    expect(await store.search({ team: 'demo', cursor: 'nonsense' })).toEqual({ kind: 'invalid-cursor' });
  });

  it('survives two writers that store the same messages at once', async () => {
    const ids = Array.from({ length: 200 }, newId);
    const sent = ids.map((id) => event(id, { status: 'sent', account: 'a' }));
    await Promise.all([
      store.apply(sent),
      store.apply(ids.map((id) => receipt(id)).reverse()),
      store.apply(sent),
    ]);
    const page = await store.search({ team: 'demo', status: 'delivered', limit: 200 });
    expect(page.kind === 'page' && ids.every((id) => page.messages.some((m) => m.id === id))).toBe(true);
  });

  it('ends what nobody else ends, once, and lets a late receipt settle it', async () => {
    const [lost, silent, fresh] = [newId(), newId(), newId()];
    const long = { team: 'sweep', expiresAt: T0 + 400 * 3_600_000 };
    await store.apply([
      event(lost, { status: 'queued', team: 'sweep' }),
      event(silent, { status: 'sent', account: 'a', ...long }),
      event(fresh, { status: 'queued', ...long }),
    ]);
    const nowMs = T0 + 73 * 3_600_000;
    const swept = await sweep(postgres, store, { nowMs });
    expect(swept.expired.map((m) => m.id)).toContain(lost);
    expect(swept.unconfirmed.map((m) => m.id)).toContain(silent);
    expect(await imbalance(postgres)).toMatchObject([{ channel: 'sms', priority: 'P2' }]);
    expect(await sweep(postgres, store, { nowMs })).toEqual({ expired: [], unconfirmed: [], more: false });
    expect(await store.byId('sweep', fresh)).toMatchObject({ status: 'queued' });
    await store.apply([receipt(silent, { at: nowMs + 5 })]);
    expect(await store.byId('sweep', silent)).toMatchObject({ status: 'delivered', account: 'a' });
  });

  it('answers every search and sweep from an index, without a sort', async () => {
    await postgres.query(
      `INSERT INTO messages (id, generation, status, status_rank, status_order, status_at, priority, kind, team, reference, trace_id, accepted_at, expires_at)
       SELECT gen_random_uuid(), 0, (ARRAY['sent', 'delivered', 'failed'])[1 + g % 3], 6, g, now(), 'P2', 'message', 'team' || g % 50,
         'r' || g, 't' || g, now(), now() FROM generate_series(1, 20000) g`,
    );
    await postgres.query('ANALYZE messages');
    const explain = async (text: string, values: unknown[]): Promise<string> =>
      (await postgres.query<Record<string, string>>(`EXPLAIN ${text}`, values))
        .map((r) => r['QUERY PLAN'])
        .join('\n');
    const before = '01900000-0000-7000-8000-000000000000';
    for (const query of [{ reference: 'r7' }, { traceId: 't7' }, { status: 'failed' }, {}] as const) {
      const { text, values } = searchSql({ team: 'team7', ...query }, before);
      const plan = await explain(text, values);
      expect(plan).toContain('Index Scan');
      expect(plan).not.toContain('Seq Scan');
    }
    const sweepPlan = await explain(
      'SELECT id FROM messages WHERE status_rank < 4 AND expires_at < now() ORDER BY expires_at LIMIT 5',
      [],
    );
    expect(sweepPlan).toContain('messages_never_sent');
  });

  it('needs no id that is a UUIDv7', async () => {
    const id = randomUUID();
    await store.apply([event(id)]);
    expect(await store.byId('demo', id)).toMatchObject({ id });
  });
});

function permutations(items: number[]): number[][] {
  if (items.length < 2) return [items];
  return items.flatMap((head) =>
    permutations(items.filter((i) => i !== head)).map((tail) => [head, ...tail]),
  );
}
