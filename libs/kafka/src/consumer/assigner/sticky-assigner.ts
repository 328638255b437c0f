import { AssignerProtocol, PartitionAssigners, type PartitionAssigner } from 'kafkajs';
import { assignSticky, type StickyMember } from './assign-sticky.js';
import { decodeMemberData, encodeMemberData, type MemberData } from './member-data.js';

/** Name of the protocol in the group; a change of its rules or data needs another name. */
export const STICKY_PROTOCOL = 'commservice-sticky';

const { MemberMetadata, MemberAssignment } = AssignerProtocol;

/** What a group member said of itself, from the bytes that the broker keeps. */
export function readMember(
  memberId: string,
  metadata: Buffer,
): StickyMember & Pick<MemberData, 'address' | 'host'> {
  try {
    const { topics = [], userData } = MemberMetadata.decode(metadata) ?? {};
    return { memberId, topics, ...decodeMemberData(userData) };
  } catch {
    return { memberId, topics: [], ...decodeMemberData(undefined) };
  }
}

/**
 * The assigners that a member offers, the best first. The broker takes the first that all members know: during an upgrade
 * from a release without ours that is kafkajs's own.
 * @param self what this member owns and where it listens, asked for at every join
 */
export function memberAssigners(self: () => MemberData): PartitionAssigner[] {
  const sticky: PartitionAssigner = ({ cluster }) => ({
    name: STICKY_PROTOCOL,
    version: 0,
    protocol: ({ topics }) => ({
      name: STICKY_PROTOCOL,
      metadata: MemberMetadata.encode({ version: 0, topics, userData: encodeMemberData(self()) }),
    }),
    async assign({ members }) {
      const known = members.map((m) => readMember(m.memberId, m.memberMetadata));
      const topics = [...new Set(known.flatMap((m) => m.topics))];
      // a member of another release may read a topic that the leader does not
      await cluster.addMultipleTargetTopics(topics);
      const partitions = topics.map((topic) => {
        const found = cluster.findTopicPartitionMetadata(topic);
        return [topic, found.map((p) => p.partitionId)] as const;
      });
      const assigned = assignSticky(known, new Map(partitions));
      return [...assigned].map(([memberId, assignment]) => ({
        memberId,
        memberAssignment: MemberAssignment.encode({ version: 0, assignment, userData: Buffer.alloc(0) }),
      }));
    },
  });
  return [sticky, PartitionAssigners.roundRobin];
}
