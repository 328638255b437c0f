import { PartitionAssigners, type Cluster } from 'kafkajs';
import type { Logger } from '@commservice/telemetry';
import { createClient, type KafkaOptions } from '../client.js';

/** The request that kafkajs's own members leave with; its types leave it out. */
interface LeavingBroker {
  leaveGroup(request: { groupId: string; memberId: string }): Promise<unknown>;
}

/**
 * Takes a member out of a consumer group, as `removeMembersFromConsumerGroup` of the Java admin client does: the group shares
 * its partitions out at once instead of a session later. Rejects when the coordinator does not answer; a member that is not
 * there any more is no error. Over a connection of its own: on a member's the request would wait behind its fetch or join.
 */
export async function removeMember(
  { kafka, group, logger }: { kafka: KafkaOptions; group: string; logger: Logger },
  memberId: string,
): Promise<void> {
  const cluster = clusterOf(kafka, group, logger);
  try {
    await cluster.connect();
    const coordinator = (await cluster.findGroupCoordinator({ groupId: group })) as unknown as LeavingBroker;
    await coordinator.leaveGroup({ groupId: group, memberId });
  } catch (error) {
    if ((error as { type?: string }).type !== 'UNKNOWN_MEMBER_ID') throw error;
  } finally {
    await cluster.disconnect().catch(() => undefined);
  }
}

/** kafkajs shows a client's cluster only to the assigners of its consumers, which get it when the consumer is made. */
function clusterOf(kafka: KafkaOptions, group: string, logger: Logger): Cluster {
  let cluster: Cluster | undefined;
  createClient(kafka, logger, { retry: { retries: 2 } }).consumer({
    groupId: group,
    partitionAssigners: [
      (given) => {
        cluster = given.cluster;
        return PartitionAssigners.roundRobin(given);
      },
    ],
  });
  return cluster as unknown as Cluster;
}
