/** Partition numbers by topic. */
export type Assignment = Readonly<Record<string, readonly number[]>>;

/** A member of the group as it asked to join. */
export interface StickyMember {
  readonly memberId: string;
  readonly topics: readonly string[];
  /** What it owned in `generation`; empty when it is new or does not say. */
  readonly owned: Assignment;
  /** The newest generation wins where two members name the same partition; -1 = not known. */
  readonly generation: number;
}

/**
 * Gives every partition to exactly one member that reads its topic. Each topic is spread within one over its readers, and so
 * is the whole where all read the same; within that, partitions stay where they were. The same input gives the same answer,
 * in whatever order members come.
 */
export function assignSticky(
  members: readonly StickyMember[],
  partitionsOf: ReadonlyMap<string, readonly number[]>,
): Map<string, Given> {
  const sorted = [...members].sort((a, b) => compare(a.memberId, b.memberId));
  const topics = [...partitionsOf].sort(([a], [b]) => compare(a, b));
  const before = topics.map(([topic, partitions]) => ownersBefore(sorted, topic, partitions));
  const kept = asBefore(sorted, topics, before);
  if (kept) return kept;
  const result = nothingYet(sorted);
  const load = new Map(sorted.map((m) => [m.memberId, 0]));
  topics.forEach(([topic, partitions], i) => {
    const readers = sorted.filter((m) => m.topics.includes(topic)).map((m) => m.memberId);
    for (const [memberId, given] of spread(readers, partitions, before[i] as Owners, load)) {
      if (given.length > 0) (result.get(memberId) as Given)[topic] = given;
      load.set(memberId, (load.get(memberId) as number) + given.length);
    }
  });
  return result;
}

type Owners = ReadonlyMap<number, string>;
type Given = Record<string, number[]>;

const nothingYet = (members: readonly StickyMember[]): Map<string, Given> =>
  new Map(members.map((m): [string, Given] => [m.memberId, {}]));

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Who owned each partition of a topic, by the newest generation that names it. */
function ownersBefore(
  members: readonly StickyMember[],
  topic: string,
  partitions: readonly number[],
): Map<number, string> {
  const owners = new Map<number, string>();
  const since = new Map<number, number>();
  const exist = new Set(partitions);
  for (const { memberId, topics, owned, generation } of members) {
    if (!topics.includes(topic)) continue;
    for (const partition of owned[topic] ?? []) {
      if (!exist.has(partition) || generation <= (since.get(partition) ?? -Infinity)) continue;
      owners.set(partition, memberId);
      since.set(partition, generation);
    }
  }
  return owners;
}

/** The assignment as it was, where it is complete and even: spreading topic by topic could move what need not move. */
function asBefore(
  members: readonly StickyMember[],
  topics: readonly (readonly [string, readonly number[]])[],
  before: readonly Owners[],
): Map<string, Given> | undefined {
  const result = nothingYet(members);
  for (const [i, [topic, partitions]] of topics.entries()) {
    const owners = before[i] as Owners;
    if (owners.size !== partitions.length) return undefined;
    for (const partition of [...partitions].sort((a, b) => a - b))
      ((result.get(owners.get(partition) as string) as Given)[topic] ??= []).push(partition);
    const readers = members.filter((m) => m.topics.includes(topic));
    if (!even(readers.map((m) => result.get(m.memberId)?.[topic]?.length ?? 0))) return undefined;
  }
  const totals = [...result.values()].map((own) => Object.values(own).reduce((sum, p) => sum + p.length, 0));
  return even(totals) ? result : undefined;
}

const even = (counts: readonly number[]): boolean => Math.max(...counts) - Math.min(...counts) <= 1;

/** One topic over its readers: those with the least so far take one more where it does not divide, owners before others. */
function spread(
  readers: readonly string[],
  partitions: readonly number[],
  owners: Owners,
  load: ReadonlyMap<string, number>,
): Map<string, number[]> {
  const given = new Map(readers.map((memberId) => [memberId, [] as number[]]));
  if (readers.length === 0) return given;
  const had = (memberId: string): number => [...owners.values()].filter((o) => o === memberId).length;
  const byClaim = readers
    .map((memberId) => ({ memberId, load: load.get(memberId) as number, had: had(memberId) }))
    .sort((a, b) => a.load - b.load || b.had - a.had || compare(a.memberId, b.memberId));
  const base = Math.floor(partitions.length / readers.length);
  const extras = partitions.length % readers.length;
  const quota = new Map(byClaim.map(({ memberId }, i) => [memberId, base + (i < extras ? 1 : 0)]));
  const free: number[] = [];
  for (const partition of [...partitions].sort((a, b) => a - b)) {
    const own = given.get(owners.get(partition) ?? '');
    if (own && own.length < (quota.get(owners.get(partition) as string) as number)) own.push(partition);
    else free.push(partition);
  }
  for (const [memberId, own] of given) {
    own.push(...free.splice(0, (quota.get(memberId) as number) - own.length));
    own.sort((a, b) => a - b);
  }
  return given;
}
