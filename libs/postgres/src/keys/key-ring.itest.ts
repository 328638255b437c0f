import { randomBytes } from 'node:crypto';
import { open, seal, type Clock } from '@commservice/contracts';
import { silentLogger } from '@commservice/telemetry';
import { migratedPostgres, type MigratedPostgres } from '../../test/migrated-postgres.js';
import type { Postgres } from '../postgres.js';
import { PostgresKeyRing } from './key-ring.js';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 11, 1, 12);

describe('PostgresKeyRing', () => {
  let database: MigratedPostgres;
  let postgres: Postgres;
  let nowMs: number;
  const masterKey = randomBytes(32);
  const clock: Clock = { now: () => nowMs, monotonic: () => nowMs };
  const ring = (options: object = {}): PostgresKeyRing =>
    new PostgresKeyRing({
      postgres,
      masterKey,
      brands: ['alfa', 'beta'],
      logger: silentLogger,
      clock,
      ...options,
    });
  const unreachable = { query: () => Promise.reject(new Error('away')) };

  beforeEach(async () => {
    nowMs = NOON;
    database = await migratedPostgres();
    ({ postgres } = database);
  });
  afterEach(() => database.close());

  it('makes the keys of today and three days more, and pods that start together agree on them', async () => {
    const rings = [ring(), ring(), ring()];
    await Promise.all(rings.map((r) => r.refresh()));
    expect(rings.map((r) => r.ready)).toEqual([true, true, true]);
    for (const day of [0, 1, 2, 3]) {
      const ids = rings.map((r) => r.current('alfa', NOON + day * DAY_MS)?.id);
      expect(ids[0]).toBeDefined();
      expect(new Set(ids).size).toBe(1);
    }
    expect(rings[0]?.current('alfa', NOON)?.id).not.toBe(rings[0]?.current('beta', NOON)?.id);
  });

  it('keeps no secret in clear in the database', async () => {
    const r = ring();
    await r.refresh();
    const secret = r.current('alfa', NOON)?.secret as Buffer;
    const rows = await postgres.query<{ wrapped: Buffer }>('SELECT wrapped FROM data_keys');
    expect(rows.some((row) => row.wrapped.includes(secret))).toBe(false);
  });

  it('is ready only while it holds the keys of today and tomorrow, whatever PostgreSQL does', async () => {
    let away = false;
    const r = ring({
      postgres: { query: (...q: [string]) => (away ? unreachable.query() : postgres.query(...q)) },
    });
    expect(r.ready).toBe(false);
    await r.start();
    away = true;
    expect(await r.refresh()).toBe(false);
    nowMs += 2 * DAY_MS;
    expect(r.ready).toBe(true);
    nowMs += DAY_MS;
    expect(r.missing()).toEqual(['alfa 2026-12-05', 'beta 2026-12-05']);
    away = false;
    await r.refresh();
    expect(r.ready).toBe(true);
    r.stop();
  });

  it('opens what was sealed with a key made elsewhere after it started', async () => {
    const here = ring();
    await here.refresh();
    const elsewhere = ring({ brands: ['gamma'] });
    await elsewhere.refresh();
    const key = elsewhere.current('gamma', NOON);
    if (!key) throw new Error('no key');
    expect(here.byId(key.id)).toBeUndefined();
    expect(await here.load(key.id)).toEqual({ kind: 'found', key });
    expect(open(seal('text', key, 'm'), here, 'm')).toEqual({ kind: 'opened', text: 'text' });
  });

  it('forgets a key that was dropped', async () => {
    const r = ring({ brands: ['alfa'] });
    await r.refresh();
    const old = r.current('alfa', NOON - DAY_MS);
    expect(old).toBeUndefined();
    const key = r.current('alfa', NOON + DAY_MS);
    await postgres.query('DELETE FROM data_keys WHERE id = $1', [key?.id]);
    await r.refresh();
    expect(r.byId(key?.id ?? '')).toBeUndefined();
    expect(await r.load(key?.id ?? '')).toEqual({ kind: 'dropped' });
  });

  it('answers within its deadline when PostgreSQL does not', async () => {
    const r = ring({ postgres: { query: () => new Promise(() => undefined) } });
    expect(await r.load('alfa-20261201-00000000', 20)).toEqual({ kind: 'no-answer' });
  });

  it('is not ready with a master key that opens none of the stored keys', async () => {
    await ring().refresh();
    const stranger = ring({ masterKey: randomBytes(32) });
    await stranger.refresh();
    expect(stranger.ready).toBe(false);
    const rotated = ring({ masterKey: randomBytes(32), previousMasterKeys: [masterKey] });
    await rotated.refresh();
    expect(rotated.ready).toBe(true);
  });
});
