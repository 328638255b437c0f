import type { Consumer, EachBatchPayload } from 'kafkajs';
import { createClient } from '../client.js';
import type { MemberData } from './assigner/member-data.js';
import { memberAssigners } from './assigner/sticky-assigner.js';
import type { LaneConsumerOptions } from './lane-consumer-options.js';

/** A kafkajs consumer of a lane's group, not yet running. One client each: two of one group would share offsets (H23). */
export function createMember(
  { kafka, group, timing, logger }: Pick<LaneConsumerOptions, 'kafka' | 'group' | 'timing' | 'logger'>,
  /** What it owned last and where it listens. */
  self: () => MemberData,
  /** Whether kafkajs may start it again after a crash. */
  mayRestart: () => boolean,
): Consumer {
  return createClient(kafka, logger).consumer({
    groupId: group,
    partitionAssigners: memberAssigners(self),
    sessionTimeout: timing.sessionMs,
    heartbeatInterval: timing.heartbeatMs,
    rebalanceTimeout: timing.rebalanceMs,
    maxWaitTimeInMs: timing.maxWaitMs,
    minBytes: timing.minBytes,
    maxBytesPerPartition: timing.maxPartitionBytes,
    metadataMaxAge: 60_000,
    allowAutoTopicCreation: false,
    retry: { retries: 10, restartOnFailure: () => Promise.resolve(mayRestart()) },
  });
}

/** Subscribes from the committed offsets, else the beginning, and fetches; offsets are committed by the caller alone. */
export async function runMember(
  consumer: Consumer,
  topics: readonly string[],
  onBatch: (batch: EachBatchPayload) => void,
): Promise<void> {
  await consumer.connect();
  await consumer.subscribe({ topics: [...topics], fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: 1,
    eachBatch: (batch) => Promise.resolve(onBatch(batch)),
  });
}
