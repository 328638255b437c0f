import type { Clock } from '@commservice/contracts';
import { LocalClaims, type LocalClaimsOptions } from './local-claims.js';
import { MemoryClaimStore } from './memory-claim-store.js';

const one = (id: string, generation = 0): { id: string; generation: number } => ({ id, generation });

interface Pods {
  readonly time: { ms: number };
  readonly store: MemoryClaimStore;
  pod(owner: string, over?: Partial<LocalClaimsOptions>): LocalClaims;
}

function pods(): Pods {
  const time = { ms: 1000 };
  const clock: Clock = { now: () => time.ms, monotonic: () => time.ms };
  const store = new MemoryClaimStore(() => time.ms);
  const pod: Pods['pod'] = (owner, over) =>
    new LocalClaims({ store, owner, reserveMs: () => 500, clock, ...over });
  return { time, store, pod };
}

describe('LocalClaims', () => {
  it('claims a fresh record in memory at once and tells the store in the background', async () => {
    const { pod } = pods();
    const a = pod('a');
    expect(a.claimInMemory(one('x'))).toEqual({ kind: 'new' });
    await a.flush(100);
    expect(await pod('b').claim([one('x')])).toEqual([{ kind: 'busy', waitMs: 500 }]);
  });

  it('sees a second copy in the same pod while the first is in the air, and after', async () => {
    const a = pods().pod('a');
    a.claimInMemory(one('x'));
    expect(a.claimInMemory(one('x'))).toEqual({ kind: 'busy', waitMs: 100 });
    expect(await a.claim([one('x')])).toEqual([{ kind: 'busy', waitMs: 100 }]);
    a.finish('x', 'done', 0);
    expect(a.claimInMemory(one('x'))).toEqual({ kind: 'done' });
    expect(await a.claim([one('x')])).toEqual([{ kind: 'done' }]);
  });

  it('lets one of two copies through that ask at the same time in different groups', async () => {
    const a = pods().pod('a');
    const [first, second] = await Promise.all([a.claim([one('x'), one('y')]), a.claim([one('y'), one('x')])]);
    expect(first.map((r) => r.kind)).toEqual(['new', 'new']);
    expect(second.map((r) => r.kind)).toEqual(['busy', 'busy']);
  });

  it('lets one of two copies in one group through', async () => {
    const answers = await pods()
      .pod('a')
      .claim([one('x'), one('x')]);
    expect(answers.map((r) => r.kind)).toEqual(['new', 'busy']);
  });

  it('frees a released item for itself and for others', async () => {
    const { pod } = pods();
    const [a, b] = [pod('a'), pod('b')];
    await a.claim([one('x')]);
    a.release('x');
    expect(await b.claim([one('x')])).toEqual([{ kind: 'new' }]);
  });

  it('does not tell the store of a claim that was released meanwhile', async () => {
    const { pod } = pods();
    const a = pod('a');
    a.claimInMemory(one('x'));
    a.release('x');
    await a.flush(100);
    expect(await pod('b').claim([one('x')])).toEqual([{ kind: 'new' }]);
  });

  it('keeps unreachable apart from duplicate, and can then claim in memory', async () => {
    const { pod, store } = pods();
    const a = pod('a');
    store.reachable = false;
    expect(await a.claim([one('x')])).toEqual([{ kind: 'unknown' }]);
    expect(a.claimInMemory(one('x'))).toEqual({ kind: 'new' });
    expect(a.claimInMemory(one('x')).kind).toBe('busy');
  });

  it('calls its own hold a takeover once it ran out unsettled, also when the store is away in between', async () => {
    const { pod, store, time } = pods();
    const a = pod('a');
    await a.claim([one('x')]);
    time.ms += 500;
    store.reachable = false;
    expect(await a.claim([one('x')])).toEqual([{ kind: 'unknown' }]);
    store.reachable = true;
    expect(await a.claim([one('x')])).toEqual([{ kind: 'takeover' }]);
    time.ms += 500;
    expect(a.claimInMemory(one('x'))).toEqual({ kind: 'takeover' });
  });

  it('lets a replay of what died here through to the store', async () => {
    const a = pods().pod('a');
    await a.claim([one('x')]);
    a.finish('x', 'dead', 0);
    expect(await a.claim([one('x'), one('x', 1)])).toEqual([{ kind: 'done' }, { kind: 'new' }]);
  });

  it('counts claims made in memory that the store knew otherwise', async () => {
    const { pod } = pods();
    const [a, b] = [pod('a'), pod('b')];
    await a.claim([one('x')]);
    b.claimInMemory(one('x'));
    await b.flush(100);
    expect(b.counts().conflicts).toBe(1);
  });

  it('remembers a bounded number of ids', () => {
    const a = pods().pod('a', { maxIds: 10 });
    for (let i = 0; i < 50; i++) {
      a.claimInMemory(one(`f${i}`));
      a.finish(`f${i}`, 'done', 0);
      a.claimInMemory(one(`h${i}`));
    }
    expect(a.counts()).toMatchObject({ inAir: 10, settled: 10 });
  });
});
