import { setTimeout as delay } from 'node:timers/promises';
import type { TopicSpec } from '@commservice/contracts';
import { TopicAdmin } from '@commservice/kafka';
import type { Logger } from '@commservice/telemetry';

export interface TopicsOptions {
  /** `host:port` of at least one broker. */
  readonly brokers: readonly string[];
  readonly specs: readonly TopicSpec[];
  readonly logger: Logger;
  /** Copies of each partition. Default 1. */
  readonly replicationFactor?: number;
  /** Longest wait for the broker to answer at all, ms. Default 30 000. */
  readonly connectDeadlineMs?: number;
}

const CONNECT_DEADLINE_MS = 30_000;
const CREATE_DEADLINE_MS = 30_000;
const RETRY_MS = 200;
/** One request holds this many topics at most: hundreds of new partitions in one go can outlast its time-out. */
const TOPICS_PER_REQUEST = 25;

async function withAdmin<T>(options: TopicsOptions, work: (admin: TopicAdmin) => Promise<T>): Promise<T> {
  const kafka = { brokers: options.brokers, clientId: 'topics' };
  const admin = new TopicAdmin({ kafka, logger: options.logger });
  try {
    await admin.connect(options.connectDeadlineMs ?? CONNECT_DEADLINE_MS);
    return await work(admin);
  } finally {
    await admin.close();
  }
}

/**
 * A broker may take a topic and, asked for its leaders a moment later, not know it yet: the call then fails although
 * the topic is made. Asking again settles it; topics made by a failed call are missing from the answer.
 */
async function createPart(
  admin: TopicAdmin,
  part: readonly TopicSpec[],
  replicationFactor?: number,
): Promise<string[]> {
  const until = performance.now() + CREATE_DEADLINE_MS;
  for (;;) {
    try {
      return await admin.createMissing(part, replicationFactor);
    } catch (error) {
      if (performance.now() > until) throw error;
      await delay(RETRY_MS);
    }
  }
}

/** The faults once the broker knows its new topics: it may need a moment to hear of them from its controller. */
async function settledFaults(admin: TopicAdmin, specs: readonly TopicSpec[]): Promise<string[]> {
  const until = performance.now() + CREATE_DEADLINE_MS;
  for (;;) {
    const faults = await admin.check(specs);
    const unknown = faults.some((fault) => fault.endsWith('does not exist.'));
    if (!unknown || performance.now() > until) return faults;
    await delay(RETRY_MS);
  }
}

/** Creates the topics that do not exist. Existing ones are never changed. Rejects when the broker does not answer. */
export function createTopics(options: TopicsOptions): Promise<{ created: string[]; faults: string[] }> {
  return withAdmin(options, async (admin) => {
    const created: string[] = [];
    for (let i = 0; i < options.specs.length; i += TOPICS_PER_REQUEST) {
      const part = options.specs.slice(i, i + TOPICS_PER_REQUEST);
      created.push(...(await createPart(admin, part, options.replicationFactor)));
    }
    return { created, faults: await settledFaults(admin, options.specs) };
  });
}

/** One plain sentence for each topic that is missing or differs (partitions, retention, batch size). */
export function checkTopics(options: TopicsOptions): Promise<string[]> {
  return withAdmin(options, (admin) => admin.check(options.specs));
}
