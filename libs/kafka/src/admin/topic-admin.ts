import { setTimeout as delay } from 'node:timers/promises';
import { ConfigResourceTypes, type Admin } from 'kafkajs';
import type { TopicSpec } from '@commservice/contracts';
import type { Logger } from '@commservice/telemetry';
import { createClient, type KafkaOptions } from '../client.js';

/** First and next offset of one partition. */
export interface PartitionEnds {
  readonly partition: number;
  readonly low: number;
  readonly high: number;
}

const RETRY_MS = 200;
const CREATE_TIMEOUT_MS = 15_000;
const LEADER_WAIT_MS = 5_000;
const MOVING = new Set(['NOT_LEADER_FOR_PARTITION', 'LEADER_NOT_AVAILABLE', 'UNKNOWN_TOPIC_OR_PARTITION']);

/** Creates and checks topics. Never changes or deletes one that exists. Every method rejects when the broker does not answer. */
export class TopicAdmin {
  private readonly admin: Admin;

  constructor(options: { kafka: KafkaOptions; logger: Logger }) {
    this.admin = createClient(options.kafka, options.logger, { retry: { retries: 2 } }).admin();
  }

  /** Connects, trying again until `deadlineMs` is over. */
  async connect(deadlineMs: number): Promise<void> {
    const endAt = performance.now() + deadlineMs;
    for (;;) {
      try {
        return await this.admin.connect();
      } catch (error) {
        if (performance.now() + RETRY_MS > endAt) throw new Error('Kafka does not answer', { cause: error });
        await delay(RETRY_MS);
      }
    }
  }

  /** Creates the topics that do not exist; returns their names. */
  async createMissing(specs: readonly TopicSpec[], replicationFactor = 1): Promise<string[]> {
    const existing = new Set(await this.admin.listTopics());
    const missing = specs.filter((s) => !existing.has(s.name));
    if (missing.length === 0) return [];
    await this.admin.createTopics({
      waitForLeaders: true,
      timeout: CREATE_TIMEOUT_MS,
      topics: missing.map((s) => ({
        topic: s.name,
        numPartitions: s.partitions,
        replicationFactor,
        configEntries: [
          { name: 'retention.ms', value: String(s.retentionMs) },
          { name: 'max.message.bytes', value: String(s.maxMessageBytes) },
        ],
      })),
    });
    return missing.map((s) => s.name);
  }

  /** Compares the broker with the list; returns one plain sentence per fault. */
  async check(specs: readonly TopicSpec[]): Promise<string[]> {
    const existing = new Set(await this.admin.listTopics());
    const present = specs.filter((s) => existing.has(s.name));
    const faults = specs.filter((s) => !existing.has(s.name)).map((s) => `Topic ${s.name} does not exist.`);
    if (present.length === 0) return faults;
    const { topics } = await this.admin.fetchTopicMetadata({ topics: present.map((s) => s.name) });
    const partitions = new Map(topics.map((t) => [t.name, t.partitions.length]));
    const { resources } = await this.admin.describeConfigs({
      includeSynonyms: false,
      resources: present.map((s) => ({ type: ConfigResourceTypes.TOPIC, name: s.name })),
    });
    const configs = new Map(
      resources.map((r) => [
        r.resourceName,
        new Map(r.configEntries.map((e) => [e.configName, e.configValue])),
      ]),
    );
    for (const spec of present)
      faults.push(...differences(spec, partitions.get(spec.name), configs.get(spec.name)));
    return faults;
  }

  /** First and next offsets of every partition of a topic. */
  async ends(topic: string): Promise<PartitionEnds[]> {
    const offsets = await whileMoving(() => this.admin.fetchTopicOffsets(topic));
    return offsets.map((o) => ({ partition: o.partition, low: Number(o.low), high: Number(o.high) }));
  }

  /** Committed offsets of a group on a topic; -1 = none. */
  async committed(group: string, topics: readonly string[]): Promise<Map<string, Map<number, number>>> {
    const answer = await this.admin.fetchOffsets({ groupId: group, topics: [...topics] });
    return new Map(
      answer.map((t) => [t.topic, new Map(t.partitions.map((p) => [p.partition, Number(p.offset)]))]),
    );
  }

  /** The members of a group as they joined: ids, and the bytes they told of themselves. Empty while the group rebalances. */
  async members(group: string): Promise<{ memberId: string; metadata: Buffer }[]> {
    const { groups } = await this.admin.describeGroups([group]);
    return (groups[0]?.members ?? []).map((m) => ({ memberId: m.memberId, metadata: m.memberMetadata }));
  }

  async close(): Promise<void> {
    await this.admin.disconnect().catch(() => undefined);
  }
}

/** A topic made a moment ago, or whose leader moves, is asked again for a few seconds; any other fault rejects at once. */
async function whileMoving<T>(ask: () => Promise<T>): Promise<T> {
  const endAt = performance.now() + LEADER_WAIT_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const type =
        (error as { type?: string }).type ?? ((error as Error).cause as { type?: string } | undefined)?.type;
      if (!type || !MOVING.has(type) || performance.now() > endAt) throw error;
      await delay(RETRY_MS);
    }
  }
}

function differences(spec: TopicSpec, partitions?: number, config?: ReadonlyMap<string, string>): string[] {
  const faults: string[] = [];
  const compare = (what: string, expected: number, found: string | number | undefined): void => {
    if (String(expected) !== String(found))
      faults.push(`Topic ${spec.name}: ${what} is ${found ?? 'unknown'}, not ${expected}.`);
  };
  compare('the partition count', spec.partitions, partitions);
  compare('retention.ms', spec.retentionMs, config?.get('retention.ms'));
  compare('max.message.bytes', spec.maxMessageBytes, config?.get('max.message.bytes'));
  return faults;
}
