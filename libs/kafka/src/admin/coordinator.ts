import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@commservice/telemetry';
import { createClient, type KafkaOptions } from '../client.js';

const POLL_MS = 100;

/**
 * Waits until the group coordinator answers for every group: on an empty broker the first question makes it create
 * `__consumer_offsets`, and a consumer that starts before that is loaded crashes and restarts (kafka-real Q5).
 * @returns the groups that did not answer within `deadlineMs`; empty = ready
 */
export async function waitForCoordinator(options: {
  kafka: KafkaOptions;
  groups: readonly string[];
  deadlineMs: number;
  logger: Logger;
  signal?: AbortSignal;
}): Promise<readonly string[]> {
  const endAt = performance.now() + options.deadlineMs;
  const admin = createClient(options.kafka, options.logger, { retry: { retries: 0 } }).admin();
  let waiting = [...options.groups];
  try {
    while (waiting.length > 0 && performance.now() < endAt && !options.signal?.aborted) {
      try {
        await admin.connect();
        const { groups } = await admin.describeGroups(waiting);
        // errorCode is in the answer but not in kafkajs's types; a group that does not exist yet answers 0
        const answered = new Set(
          groups.filter((g) => (g as { errorCode?: number }).errorCode === 0).map((g) => g.groupId),
        );
        waiting = waiting.filter((group) => !answered.has(group));
      } catch (error) {
        options.logger.debug({ error: String(error) }, 'the group coordinator does not answer yet');
      }
      if (waiting.length > 0) await delay(POLL_MS);
    }
    return waiting;
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}
