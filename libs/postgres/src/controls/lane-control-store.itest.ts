import { AuditLog } from '../audit-log.js';
import { migratedPostgres, type MigratedPostgres } from '../../test/migrated-postgres.js';
import type { Postgres } from '../postgres.js';
import { LaneControlStore, type ControlOrder } from './lane-control-store.js';

const PAUSE: ControlOrder & { value: string } = {
  ...{ kind: 'lane-pause', name: 'sms:P3', value: 'paused' },
  ...{ reason: 'INC-1', actor: 'ops-demo', action: 'lane.pause' },
};
const RESUME: ControlOrder = { ...PAUSE, action: 'lane.resume', actor: 'ops-second-demo', reason: 'mended' };
const mode = (value: string): ControlOrder & { value: string } => ({
  ...{ kind: 'scope-mode', name: 'sms-a', value },
  ...{ reason: `wants ${value}`, actor: 'ops-demo', action: 'scope.mode' },
});

describe('lane controls on PostgreSQL', () => {
  let database: MigratedPostgres;
  let postgres: Postgres;
  let store: LaneControlStore;

  beforeEach(async () => {
    database = await migratedPostgres();
    ({ postgres } = database);
    store = new LaneControlStore(postgres);
  });
  afterEach(() => database.close());
  const trail = async (target: string): Promise<unknown[]> =>
    (await new AuditLog(postgres).of(target)).map((e) => [e.action, e.actor, e.reason, e.result]);

  it('holds what was ordered until it is lifted, and keeps every act in the audit trail', async () => {
    expect(await store.all()).toEqual([]);
    const { control, changed } = await store.set(PAUSE);
    expect(changed).toBe(true);
    expect(control).toMatchObject({ name: 'sms:P3', value: 'paused', actor: 'ops-demo', reason: 'INC-1' });
    expect(Math.abs(control.at - Date.now())).toBeLessThan(60_000);
    expect(await store.all()).toEqual([control]);
    const cleared = await store.clear(RESUME);
    expect(cleared.was).toEqual(control);
    expect(cleared.at).toBeGreaterThan(control.at);
    expect(await store.all()).toEqual([]);
    expect(await trail('sms:P3')).toEqual([
      ['lane.resume', 'ops-second-demo', 'mended', { changed: true, was: 'paused' }],
      ['lane.pause', 'ops-demo', 'INC-1', { value: 'paused', changed: true }],
    ]);
  });

  it('leaves the first order standing when the same comes again, and says that nothing changed', async () => {
    const first = await store.set(PAUSE);
    const again = await store.set({ ...PAUSE, actor: 'ops-second-demo', reason: 'also INC-2' });
    expect(again).toEqual({ control: first.control, changed: false });
    await store.clear(RESUME);
    expect((await store.clear(RESUME)).was).toBeUndefined();
    expect((await trail('sms:P3')).map((e) => (e as unknown[])[3])).toEqual([
      { changed: false },
      { changed: true, was: 'paused' },
      { value: 'paused', changed: false },
      { value: 'paused', changed: true },
    ]);
  });

  it('replaces one mode by another, of this scope only', async () => {
    await store.set(mode('strict'));
    await store.set({ ...mode('noop'), name: 'push-alfa' });
    const { control } = await store.set(mode('local'));
    expect(control).toMatchObject({ value: 'local', reason: 'wants local' });
    expect((await store.all()).map((c) => [c.name, c.value])).toEqual([
      ['push-alfa', 'noop'],
      ['sms-a', 'local'],
    ]);
  });

  it('lets one of many orders of the same moment be the change', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => store.set(PAUSE)));
    expect(results.filter((r) => r.changed)).toHaveLength(1);
    expect(new Set(results.map((r) => r.control.at)).size).toBe(1);
    expect(await trail('sms:P3')).toHaveLength(8);
  });

  it('stores no order whose entry in the audit trail cannot be stored', async () => {
    await postgres.query('ALTER TABLE audit ADD CONSTRAINT full_up CHECK (false) NOT VALID');
    await expect(store.set(PAUSE)).rejects.toThrow('full_up');
    expect(await store.all()).toEqual([]);
  });
});
