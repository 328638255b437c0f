import type { Queryable } from '../postgres.js';
import type { WrappedKey } from './key-wrap.js';

interface KeyRow {
  id: string;
  brand: string;
  day: string;
  master_key_id: string;
  wrapped: Buffer;
}

const toKey = (r: KeyRow): WrappedKey => ({
  id: r.id,
  brand: r.brand,
  day: r.day,
  masterKeyId: r.master_key_id,
  wrapped: r.wrapped,
});

const COLUMNS = 'id, brand, day, master_key_id, wrapped';

/** Stored keys of every brand from `fromDay` (`YYYY-MM-DD`) on. */
export async function keysSince(db: Queryable, fromDay: string): Promise<WrappedKey[]> {
  return (await db.query<KeyRow>(`SELECT ${COLUMNS} FROM data_keys WHERE day >= $1::date`, [fromDay])).map(
    toKey,
  );
}

/** One stored key, or undefined when it was dropped. */
export async function keyById(db: Queryable, id: string): Promise<WrappedKey | undefined> {
  return (await db.query<KeyRow>(`SELECT ${COLUMNS} FROM data_keys WHERE id = $1`, [id])).map(toKey)[0];
}

/** Adds keys; where another pod was first for a brand and day, its key stays and ours is forgotten. */
export async function addKeys(db: Queryable, keys: readonly WrappedKey[]): Promise<void> {
  if (keys.length === 0) return;
  await db.query(
    `INSERT INTO data_keys (${COLUMNS})
     SELECT * FROM unnest($1::text[], $2::text[], $3::date[], $4::text[], $5::bytea[])
     ON CONFLICT DO NOTHING`,
    [
      keys.map((k) => k.id),
      keys.map((k) => k.brand),
      keys.map((k) => k.day),
      keys.map((k) => k.masterKeyId),
      keys.map((k) => k.wrapped),
    ],
  );
}
