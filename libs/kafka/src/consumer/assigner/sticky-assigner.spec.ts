import { AssignerProtocol, type Cluster, type PartitionAssigner } from 'kafkajs';
import { memberAssigners, readMember, STICKY_PROTOCOL } from './sticky-assigner.js';

const { MemberMetadata, MemberAssignment } = AssignerProtocol;

const cluster = {
  addMultipleTargetTopics: () => Promise.resolve(),
  findTopicPartitionMetadata: () => [0, 1, 2, 3].map((partitionId) => ({ partitionId })),
} as unknown as Cluster;

const make = (assigner: PartitionAssigner | undefined) =>
  (assigner as PartitionAssigner)({ cluster, groupId: 'g', logger: undefined as never });

const of = (owned: Record<string, number[]>, generation: number) =>
  make(memberAssigners(() => ({ owned, generation, address: '10.0.0.1:3011', host: 'h' }))[0]);

describe('memberAssigners', () => {
  it('offers ours first and that of an earlier release after it', () => {
    const names = memberAssigners(() => ({ owned: {}, generation: -1 })).map((a) => make(a).name);
    expect(names).toEqual([STICKY_PROTOCOL, 'RoundRobinAssigner']);
  });

  it('carries what a member owns through the join, and keeps it there', async () => {
    const a = of({ t: [1, 3] }, 7).protocol({ topics: ['t'] });
    const b = of({}, -1).protocol({ topics: ['t'] });
    expect(readMember('a', a.metadata)).toMatchObject({
      owned: { t: [1, 3] },
      generation: 7,
      address: '10.0.0.1:3011',
      host: 'h',
    });
    const members = [
      { memberId: 'a', memberMetadata: a.metadata },
      { memberId: 'b', memberMetadata: b.metadata },
    ];
    const given = await of({}, -1).assign({ members, topics: ['t'] });
    expect(given.map((g) => MemberAssignment.decode(g.memberAssignment)?.assignment)).toEqual([
      { t: [1, 3] },
      { t: [0, 2] },
    ]);
  });

  it.each([
    ['no user data', MemberMetadata.encode({ version: 0, topics: ['t'], userData: Buffer.alloc(0) })],
    [
      'user data of others',
      MemberMetadata.encode({ version: 1, topics: ['t'], userData: Buffer.from('{"v":2}') }),
    ],
    ['no JSON', MemberMetadata.encode({ version: 1, topics: ['t'], userData: Buffer.from([0, 1, 2]) })],
  ])('takes a member with %s for a new one', (_, metadata) => {
    expect(readMember('m', metadata)).toMatchObject({ topics: ['t'], owned: {}, generation: -1 });
  });

  it('takes a member whose bytes make no sense for one that reads nothing', () => {
    expect(readMember('m', Buffer.from([1]))).toMatchObject({ topics: [], owned: {} });
  });
});
