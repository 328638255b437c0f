import type { TopicAdmin } from '../admin/topic-admin.js';
import type { Assignment } from './assigner/assign-sticky.js';
import type { CommitPoint } from './partition-ledger.js';

export type StartCheck = { kind: 'ok' } | { kind: 'refused'; reason: string };

/**
 * A group without any commit on a topic that holds records would silently skip or repeat its past: it starts only when
 * told so (`initGroup`).
 */
export async function checkStart(
  admin: TopicAdmin,
  group: string,
  topics: readonly string[],
): Promise<StartCheck> {
  const committed = await admin.committed(group, topics);
  for (const topic of topics) {
    const known = [...(committed.get(topic)?.values() ?? [])].some((offset) => offset >= 0);
    if (known) continue;
    const ends = await admin.ends(topic);
    if (ends.some((e) => e.high > e.low)) {
      const reason = `group ${group} has no committed offset on ${topic}, which holds records; start once with --init-group to read it from its beginning`;
      return { kind: 'refused', reason };
    }
  }
  return { kind: 'ok' };
}

/** What a member learns about the partitions it was just given. */
export interface AssignmentFacts {
  /** Partitions whose group has no commit yet, with the offset to commit first. */
  readonly missingCommits: readonly CommitPoint[];
  /** Where each partition ended: no other pod has had what comes after. */
  readonly ends: readonly CommitPoint[];
}

/** Reads ends and commits of the assigned partitions in one round trip per topic. */
export async function assignmentFacts(
  admin: TopicAdmin,
  group: string,
  assignment: Assignment,
): Promise<AssignmentFacts> {
  const topics = Object.keys(assignment);
  if (topics.length === 0) return { missingCommits: [], ends: [] };
  const [committed, ...ends] = await Promise.all([
    admin.committed(group, topics),
    ...topics.map(async (topic) => ({ topic, ends: await admin.ends(topic) })),
  ]);
  const facts = { missingCommits: [] as CommitPoint[], ends: [] as CommitPoint[] };
  for (const { topic, ends: partitions } of ends) {
    const owned = new Set(assignment[topic]);
    for (const { partition, low, high } of partitions) {
      if (!owned.has(partition)) continue;
      facts.ends.push({ topic, partition, offset: high });
      const has = (committed.get(topic)?.get(partition) ?? -1) >= 0;
      if (!has) facts.missingCommits.push({ topic, partition, offset: low });
    }
  }
  return facts;
}
