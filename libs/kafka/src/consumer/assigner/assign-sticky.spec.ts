import fc from 'fast-check';
import { assignSticky, type StickyMember } from './assign-sticky.js';

const TOPICS = ['a', 'b', 'c'];

const member = (memberId: string, owned: StickyMember['owned'] = {}, generation = 1): StickyMember => ({
  memberId,
  topics: TOPICS,
  owned,
  generation,
});

/** Members that may claim anything, also what others claim and what does not exist. */
const group = fc.uniqueArray(
  fc.record({
    memberId: fc.string({ minLength: 1, maxLength: 6 }),
    owned: fc.dictionary(fc.constantFrom(...TOPICS), fc.array(fc.nat(30), { maxLength: 12 })),
    generation: fc.integer({ min: -1, max: 5 }),
  }),
  { minLength: 1, maxLength: 6, selector: (m) => m.memberId },
);
const sizes = fc.record({ a: fc.nat(26), b: fc.nat(9), c: fc.nat(3) });

const topics = (size: Readonly<Record<string, number>>): Map<string, number[]> =>
  new Map(Object.entries(size).map(([topic, n]) => [topic, Array.from({ length: n }, (_, i) => i)]));
const reading = (members: readonly Omit<StickyMember, 'topics'>[]): StickyMember[] =>
  members.map((m) => ({ ...m, topics: TOPICS }));
const spread = (counts: readonly number[]): number => Math.max(...counts) - Math.min(...counts);

describe('assignSticky', () => {
  it('gives every partition to exactly one member, evenly by topic and in all', () => {
    fc.assert(
      fc.property(group, sizes, (members, size) => {
        const given = [...assignSticky(reading(members), topics(size)).values()];
        for (const [topic, partitions] of topics(size)) {
          expect(given.flatMap((g) => g[topic] ?? []).sort((x, y) => x - y)).toEqual(partitions);
          expect(spread(given.map((g) => g[topic]?.length ?? 0))).toBeLessThanOrEqual(1);
        }
        expect(spread(given.map((g) => Object.values(g).flat().length))).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('answers the same in whatever order members come', () => {
    fc.assert(
      fc.property(group, sizes, fc.nat(5), (members, size, turn) => {
        const turned = [...members.slice(turn), ...members.slice(0, turn)];
        const straight = assignSticky(reading(members), topics(size));
        expect(Object.fromEntries(assignSticky(reading(turned), topics(size)))).toEqual(
          Object.fromEntries(straight),
        );
      }),
    );
  });

  it('moves as few partitions of a topic as an even spread allows, when members come and go', () => {
    const counts = fc.record({ before: fc.integer({ min: 1, max: 6 }), gone: fc.nat(5), came: fc.nat(4) });
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 30 }), ({ before, gone, came }, size) => {
        const names = Array.from({ length: before }, (_, i) => `old${i}`);
        const first = assignSticky(
          names.map((n) => member(n)),
          topics({ a: size }),
        );
        const stay = names.slice(Math.min(gone, before - 1)).map((n) => member(n, first.get(n)));
        const all = [...stay, ...Array.from({ length: came }, (_, i) => member(`new${i}`, {}, -1))];
        const second = assignSticky(all, topics({ a: size }));
        const had = stay.map((m) => m.owned['a']?.length ?? 0);
        const base = Math.floor(size / all.length);
        const best =
          had.reduce((sum, n) => sum + Math.min(n, base), 0) +
          Math.min(size % all.length, had.filter((n) => n > base).length);
        const kept = stay.flatMap(
          (m) => m.owned['a']?.filter((p) => second.get(m.memberId)?.['a']?.includes(p)) ?? [],
        );
        expect(kept).toHaveLength(best);
      }),
    );
  });

  it('moves nothing when the group is the same', () => {
    fc.assert(
      fc.property(group, sizes, (members, size) => {
        const first = assignSticky(reading(members), topics(size));
        const again = members.map((m) => member(m.memberId, first.get(m.memberId), 9));
        expect(Object.fromEntries(assignSticky(again, topics(size)))).toEqual(Object.fromEntries(first));
      }),
    );
  });

  it('believes the newest generation where two members claim a partition', () => {
    const old = member('a', { a: [0, 1] }, 3);
    const current = member('b', { a: [0, 1] }, 4);
    const given = assignSticky([old, current, member('c')], topics({ a: 3 }));
    expect(given.get('b')?.['a']).toEqual([0]);
    expect(given.get('a')?.['a']).not.toContain(0);
  });

  it('gives a topic only to members that read it', () => {
    const given = assignSticky(
      [
        { ...member('a'), topics: ['a'] },
        { ...member('b'), topics: ['a', 'b'] },
      ],
      topics({ a: 2, b: 3 }),
    );
    expect(given.get('a')).toEqual({ a: [0] });
    expect(given.get('b')).toEqual({ a: [1], b: [0, 1, 2] });
  });
});
