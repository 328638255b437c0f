import { randomUUID } from 'node:crypto';
import { AuditLog } from '../audit-log.js';
import { DeadLetterStore } from '../dead-letters/dead-letter-store.js';
import type { DeadLetter } from '../dead-letters/dead-letter.js';
import { migratedPostgres, type MigratedPostgres } from '../../test/migrated-postgres.js';
import type { Postgres } from '../postgres.js';
import type { RedriveJob, RedriveRequest, RedriveSelector } from './redrive-job.js';
import { RedriveProgress } from './redrive-progress.js';
import { RedriveStore } from './redrive-store.js';

const T0 = 1_790_000_000_000;
const LANE = 'commservice.sms.messages.priority2';
let n = 0;
const letter = (fields: Partial<DeadLetter> = {}): DeadLetter => ({
  id: (++n).toString(16).padStart(32, '0'),
  ...{
    topic: `dlq.${LANE}`,
    partition: 0,
    recordOffset: n,
    state: 'dead',
    laneTopic: LANE,
    channel: 'sms',
    brand: 'alfa',
  },
  ...{ priority: 'P2', code: 'bad', generation: 0, failedAt: T0 + n, valueBytes: 10 },
  ...fields,
});
const request = (selector: RedriveSelector, fields: Partial<RedriveRequest> = {}): RedriveRequest => ({
  ...{
    id: randomUUID(),
    requestedBy: 'ops-demo',
    idempotencyKey: randomUUID(),
    requestDigest: 'd',
    selector,
  },
  ...{ ratePerSecond: 50, reason: 'INC-1', maxItems: 1_000 },
  ...fields,
});

describe('redrive jobs on PostgreSQL', () => {
  let database: MigratedPostgres;
  let postgres: Postgres;
  let letters: DeadLetterStore;
  let jobs: RedriveStore;
  let progress: RedriveProgress;

  beforeEach(async () => {
    database = await migratedPostgres();
    ({ postgres } = database);
    letters = new DeadLetterStore(postgres);
    jobs = new RedriveStore(postgres);
    progress = new RedriveProgress(postgres);
  });
  afterEach(() => database.close());
  const create = async (
    selector: RedriveSelector,
    fields: Partial<RedriveRequest> = {},
  ): Promise<RedriveJob> => {
    const made = await jobs.create(request(selector, fields));
    if (made.kind !== 'created') throw new Error(made.kind);
    return made.job;
  };
  const seed = async (count: number, fields: Partial<DeadLetter> = {}): Promise<DeadLetter[]> => {
    const made = Array.from({ length: count }, () => letter(fields));
    await letters.add(made);
    return made;
  };

  it('keeps one row for the same failure written twice, and follows a letter to its parked topic', async () => {
    const one = letter();
    expect(await letters.add([one, { ...one, recordOffset: 99 }])).toBe(1);
    expect(await letters.add([one])).toBe(0);
    expect(await letters.byId(one.id)).toEqual(one);
    await letters.add([{ ...one, topic: `parked.${LANE}`, recordOffset: 5, state: 'parked' }]);
    expect(await letters.byId(one.id)).toMatchObject({
      state: 'parked',
      topic: `parked.${LANE}`,
      recordOffset: 5,
    });
  });

  it('freezes the set: what arrives later is not part of the job', async () => {
    await seed(3);
    const job = await create({ filter: { code: 'bad' } });
    await seed(2);
    expect(job.counters).toMatchObject({ selected: 3, pending: 3 });
    expect(await progress.take(job.id, 10)).toHaveLength(3);
  });

  it('answers the same key and request with the job of then, another request with a refusal', async () => {
    await seed(1);
    const first = request({ filter: {} });
    await jobs.create(first);
    expect(await jobs.create({ ...first, id: randomUUID() })).toMatchObject({
      kind: 'replayed',
      job: { id: first.id },
    });
    expect(await jobs.create({ ...first, id: randomUUID(), requestDigest: 'e' })).toEqual({
      kind: 'key-reused',
    });
    expect(await jobs.list()).toHaveLength(1);
  });

  it('makes no job, and burns no key, when nothing, too much or something unknown is selected', async () => {
    const [one] = await seed(3);
    const wanted = request({ filter: { code: 'other' } });
    expect(await jobs.create(wanted)).toEqual({ kind: 'nothing-selected' });
    expect(await jobs.create({ ...wanted, selector: { filter: {} }, maxItems: 2 })).toEqual({
      kind: 'too-many',
      maxItems: 2,
    });
    const ids = [one?.id as string, 'ff'];
    expect(await jobs.create({ ...wanted, selector: { ids } })).toEqual({ kind: 'unknown-ids', ids: ['ff'] });
    expect(await jobs.create({ ...wanted, selector: { filter: {} } })).toMatchObject({ kind: 'created' });
  });

  it('gives a dead letter to one job only, and takes the same window again after a crash', async () => {
    const [one] = await seed(2);
    const job = await create({ filter: {} });
    const other = await create({ ids: [one?.id as string] });
    const window = await progress.take(job.id, 1);
    expect(window).toMatchObject([{ position: 1, claimed: true, deadLetter: { id: one?.id } }]);
    expect(await progress.take(job.id, 1)).toMatchObject([{ position: 1, claimed: true }]);
    expect(await progress.take(other.id, 1)).toMatchObject([
      { claimed: false, deadLetter: { redriveJob: job.id } },
    ]);
  });

  it('counts each result once, however often it is reported', async () => {
    const [a, b] = await seed(2);
    const job = await create({ filter: {} });
    await progress.take(job.id, 10);
    const results = [
      { position: 1, deadLetterId: a?.id as string, kind: 'produced' },
      { position: 2, deadLetterId: b?.id as string, kind: 'skipped', reason: 'expired' },
    ] as const;
    await progress.settle(job.id, results);
    await progress.settle(job.id, results);
    await progress.finish(job.id, 'completed');
    expect(await jobs.byId(job.id)).toMatchObject({
      state: 'completed',
      counters: {
        produced: 1,
        pending: 0,
        skipped: { expired: 1, gone: 0, already_redriven: 0, unreadable: 0 },
      },
    });
    expect(await letters.byId(a?.id as string)).toMatchObject({ state: 'redriven', redriveJob: job.id });
    expect(await letters.byId(b?.id as string)).toMatchObject({ state: 'expired' });
  });

  it('frees what a cancelled job had claimed and not produced', async () => {
    const [one] = await seed(1);
    const job = await create({ filter: {} });
    expect((await progress.next())?.state).toBe('running');
    await progress.take(job.id, 1);
    expect(await jobs.cancel(job.id, 'ops-demo')).toMatchObject({
      kind: 'cancelling',
      job: { state: 'cancelling' },
    });
    expect((await progress.next())?.state).toBe('cancelling');
    await progress.finish(job.id, 'cancelled');
    expect(await letters.byId(one?.id as string)).toMatchObject({ state: 'dead' });
    expect(await jobs.cancel(job.id, 'ops-demo')).toMatchObject({ kind: 'finished' });
    expect(await jobs.cancel('nonsense', 'ops-demo')).toEqual({ kind: 'unknown' });
    expect(await progress.next()).toBeUndefined();
  });

  it('writes every act to an audit trail that cannot be changed', async () => {
    await seed(1);
    const job = await create({ filter: {} });
    await jobs.cancel(job.id, 'ops-second-demo');
    await progress.finish(job.id, 'cancelled');
    const trail = await new AuditLog(postgres).of(job.id);
    expect(trail.map((e) => [e.actor, e.action])).toEqual([
      ['system', 'redrive.finish'],
      ['ops-second-demo', 'redrive.cancel'],
      ['ops-demo', 'redrive.start'],
    ]);
    expect(trail[2]).toMatchObject({ reason: 'INC-1', selector: { filter: {} }, result: { selected: 1 } });
    for (const sql of ['DELETE FROM audit', "UPDATE audit SET actor = 'x'", 'TRUNCATE audit']) {
      await expect(postgres.query(sql)).rejects.toThrow('append-only');
    }
  });

  it('filters by each field and pages newest first', async () => {
    await seed(5);
    const [odd] = await seed(1, {
      brand: 'beta',
      priority: 'P3',
      stage: 'provider',
      class: 'misconfigured',
      fingerprint: 'ab',
    });
    const search = async (filter: object): Promise<string[]> => {
      const page = await letters.search(filter);
      return page.kind === 'page' ? page.deadLetters.map((d) => d.id) : [];
    };
    for (const field of ['brand', 'priority', 'stage', 'class', 'fingerprint'] as const) {
      expect(await search({ [field]: odd?.[field] })).toEqual([odd?.id]);
    }
    expect(await search({ failedFrom: odd?.failedAt })).toEqual([odd?.id]);
    expect(await search({ failedTo: odd?.failedAt })).toHaveLength(5);
    expect(await search({ topic: LANE })).toHaveLength(6);
    expect(await search({ topic: `dlq.${LANE}`, channel: 'sms', state: 'dead' })).toHaveLength(6);
    expect(await search({ topic: `parked.${LANE}` })).toEqual([]);
    const first = await letters.search({}, { limit: 4 });
    if (first.kind !== 'page') throw new Error(first.kind);
    const second = await letters.search({}, { limit: 4, cursor: first.nextCursor });
    expect(second).toMatchObject({ kind: 'page', deadLetters: { length: 2 } });
    expect(second).not.toHaveProperty('nextCursor');
  });

  it('answers every filter, and finds the next window, from an index', async () => {
    await postgres.query(
      `INSERT INTO dead_letters (id, topic, partition, record_offset, state, lane_topic, channel, brand, priority, class, code,
         stage, fingerprint, failed_at, value_bytes)
       SELECT md5(g::text), 'dlq.t' || g % 20, 0, g, (ARRAY['dead', 'redriven', 'parked'])[1 + g % 3], 't' || g % 20,
         (ARRAY['sms', 'push'])[1 + g % 2], 'b' || g % 5, 'P' || 1 + g % 3, 'c' || g % 7, 'code' || g % 50, 'provider',
         'f' || g % 100, to_timestamp(1790000000 + g), 10 FROM generate_series(1, 30000) g`,
    );
    await postgres.query('ANALYZE dead_letters');
    const planOf = async (where: string): Promise<string> => {
      const rows = await postgres.query<Record<string, string>>(
        `EXPLAIN SELECT id FROM dead_letters WHERE ${where} AND (failed_at, id) < (now(), 'f')
         ORDER BY failed_at DESC, id DESC LIMIT 51`,
      );
      return rows.map((r) => r['QUERY PLAN']).join('\n');
    };
    for (const where of [
      'true',
      `state = 'dead'`,
      `fingerprint = 'f7'`,
      `topic = 'dlq.t3'`,
      `lane_topic = 't3'`,
      `channel = 'sms' AND priority = 'P2' AND brand = 'b1'`,
      `class = 'c1' AND code = 'code1'`,
      `code = 'code1'`,
      `stage = 'provider' AND brand = 'b2' AND state = 'dead'`,
    ]) {
      expect(await planOf(where)).toMatch(/^Limit[^]*Index (Only )?Scan/);
      expect(await planOf(where)).not.toContain('Sort');
    }
    const job = await create({ filter: { state: 'dead' } }, { maxItems: 20_000 });
    await postgres.query('ANALYZE redrive_items');
    const next = await postgres.query<Record<string, string>>(
      `EXPLAIN SELECT position FROM redrive_items WHERE job_id = $1 AND state = 'pending' ORDER BY position LIMIT 50`,
      [job.id],
    );
    expect(next.map((r) => r['QUERY PLAN']).join('\n')).toContain('redrive_items_pending');
  }, 30_000);
});
