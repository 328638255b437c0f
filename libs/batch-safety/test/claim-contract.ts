import { randomUUID } from 'node:crypto';
import type { ClaimAnswer, ClaimStore } from '../src/idempotency/claim.js';

/** A store under test. Owners share it; `waitMs` lets time pass in the store's own clock. */
export interface ClaimStoreUnderTest {
  readonly store: ClaimStore;
  waitMs(ms: number): Promise<void>;
}

const LONG_MS = 60_000;
const kinds = (answers: ClaimAnswer[]): string[] => answers.map((a) => a.kind);

/** What every `ClaimStore` promises: run on the twin and on real Redis. */
export function claimContract(make: () => ClaimStoreUnderTest): void {
  let under: ClaimStoreUnderTest;
  let id: string;
  const claim = async (owner: string, generation = 0, reserveMs = LONG_MS): Promise<ClaimAnswer> =>
    (await under.store.claim([{ id, generation }], owner, reserveMs, 2000))[0] as ClaimAnswer;
  const finish = async (end: 'done' | 'dead', owner: string, generation = 0): Promise<void> => {
    under.store.finish(id, end, owner, generation);
    expect(await under.store.flush(5000)).toBe(true);
  };
  const release = async (owner: string): Promise<void> => {
    under.store.release(id, owner);
    expect(await under.store.flush(5000)).toBe(true);
  };

  beforeEach(() => {
    under = make();
    id = randomUUID();
  });

  it('reserves an unknown item for the first owner and keeps others waiting no longer than its deadline', async () => {
    expect(await claim('a')).toEqual({ kind: 'new' });
    const answer = await claim('b');
    if (answer.kind !== 'busy') throw new Error(answer.kind);
    expect(answer.waitMs).toBeGreaterThan(LONG_MS - 10_000);
    expect(answer.waitMs).toBeLessThanOrEqual(LONG_MS);
  });

  it('gives the same owner the same answer again', async () => {
    expect(kinds([await claim('a'), await claim('a')])).toEqual(['new', 'new']);
  });

  it('lets another owner take over after the deadline, says so, and says so again when asked again', async () => {
    await claim('a', 0, 20);
    await under.waitMs(40);
    expect(kinds([await claim('b'), await claim('b'), await claim('a')])).toEqual([
      'takeover',
      'takeover',
      'busy',
    ]);
  });

  it('calls a delivered item done for everyone, its owner and later generations included', async () => {
    await claim('a');
    await finish('done', 'a');
    expect(kinds([await claim('a'), await claim('b'), await claim('b', 3)])).toEqual([
      'done',
      'done',
      'done',
    ]);
  });

  it('keeps done although the reservation had passed to another owner', async () => {
    await claim('a', 0, 20);
    await under.waitMs(40);
    await claim('b');
    await finish('done', 'a');
    await release('b');
    await finish('dead', 'b');
    expect((await claim('c')).kind).toBe('done');
  });

  it('lets only a later generation claim a dead item', async () => {
    await claim('a');
    await finish('dead', 'a');
    expect(kinds([await claim('b'), await claim('b', 1), await claim('c', 1), await claim('c', 0)])).toEqual([
      'done',
      'new',
      'busy',
      'done',
    ]);
  });

  it('returns a released replay to the death it came from', async () => {
    await finish('dead', 'a', 0);
    await claim('b', 1);
    await release('b');
    expect(kinds([await claim('c', 0), await claim('c', 1)])).toEqual(['done', 'new']);
  });

  it('kills a replayed item in its own generation', async () => {
    await finish('dead', 'a', 0);
    await claim('b', 1);
    await finish('dead', 'b', 1);
    expect(kinds([await claim('c', 1), await claim('c', 2)])).toEqual(['done', 'new']);
  });

  it('is not disturbed in a replay by a late death of an earlier generation', async () => {
    await claim('b', 1);
    await finish('dead', 'a', 0);
    expect(kinds([await claim('c', 1), await claim('c', 0), await claim('b', 1)])).toEqual([
      'busy',
      'done',
      'new',
    ]);
  });

  it('is free again after its owner released it, and only its owner can', async () => {
    await claim('a');
    await release('b');
    expect((await claim('b')).kind).toBe('busy');
    await release('a');
    expect((await claim('b')).kind).toBe('new');
  });

  it('sees its own settlements before they are told', async () => {
    await claim('a');
    under.store.finish(id, 'done', 'a', 0);
    expect((await claim('a')).kind).toBe('done');
  });

  it('drops a waiting release when its owner claims again', async () => {
    await claim('a');
    under.store.release(id, 'a');
    await claim('a');
    await under.store.flush(5000);
    expect((await claim('b')).kind).toBe('busy');
  });

  it('answers a group in its order and lets one copy of an id through', async () => {
    const [x, y] = [randomUUID(), 'not-a-uuid:' + randomUUID()];
    await under.store.claim([{ id: x, generation: 0 }], 'other', LONG_MS, 2000);
    const group = [id, x, y, id].map((each) => ({ id: each, generation: 0 }));
    expect(kinds(await under.store.claim(group, 'a', LONG_MS, 2000))).toEqual(['new', 'busy', 'new', 'busy']);
  });

  it('takes a group of 1 000', async () => {
    const group = Array.from({ length: 1000 }, () => ({ id: randomUUID(), generation: 0 }));
    expect(new Set(kinds(await under.store.claim(group, 'a', LONG_MS, 2000)))).toEqual(new Set(['new']));
    for (const each of group) under.store.finish(each.id, 'done', 'a', 0);
    expect(await under.store.flush(5000)).toBe(true);
    expect(new Set(kinds(await under.store.claim(group, 'b', LONG_MS, 2000)))).toEqual(new Set(['done']));
  });

  it('answers an empty group', async () => {
    expect(await under.store.claim([], 'a', LONG_MS)).toEqual([]);
  });
}
