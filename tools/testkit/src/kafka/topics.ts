import type { TopicSpec } from '@commservice/contracts';
import type { Admin } from 'kafkajs';
import { until } from '../until.js';
import { rawKafka } from './client.js';

/** A topic for a test; only the name is needed. */
export type TestTopic = Pick<TopicSpec, 'name'> & Partial<TopicSpec>;

/** Creates topics (1 partition where not said) and waits for their leaders. Existing ones are left as they are. */
export async function createTopics(topics: readonly TestTopic[], brokers?: readonly string[]): Promise<void> {
  const admin = (await rawKafka(brokers)).admin();
  await admin.connect();
  try {
    const existing = new Set(await admin.listTopics());
    const missing = topics.filter((t) => !existing.has(t.name));
    // kafkajs's own wait fails when the broker does not know the new topic yet
    await admin.createTopics({ waitForLeaders: false, timeout: 15_000, topics: missing.map(configOf) });
    const names = topics.map((t) => t.name);
    await until(() => haveLeaders(admin, names), {
      deadlineMs: 15_000,
      describe: `leaders of ${names.join(', ')}`,
    });
  } finally {
    await admin.disconnect();
  }
}

async function haveLeaders(admin: Admin, names: string[]): Promise<boolean> {
  const { topics } = await admin.fetchTopicMetadata({ topics: names });
  return topics.every((t) => t.partitions.length > 0 && t.partitions.every((p) => p.leader >= 0));
}

function configOf({ name, partitions = 1, retentionMs, maxMessageBytes }: TestTopic) {
  const entries = { 'retention.ms': retentionMs, 'max.message.bytes': maxMessageBytes };
  return {
    topic: name,
    numPartitions: partitions,
    replicationFactor: 1,
    configEntries: Object.entries(entries).flatMap(([key, value]) =>
      value === undefined ? [] : [{ name: key, value: String(value) }],
    ),
  };
}
