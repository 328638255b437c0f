import { randomUUID } from 'node:crypto';
import '@commservice/kafka'; // the override of kafkajs's timer
import { HEADER, decodeMessage, laneTopic, type Lane } from '@commservice/contracts';
import { Kafka, logLevel, type Admin, type EachBatchPayload, type KafkaMessage } from 'kafkajs';
import { until } from '@commservice/testkit';

/** The lanes that orders of brand alfa travel in. */
const LANES: readonly Lane[] = [
  { channel: 'sms', priority: 'P2' },
  { channel: 'push', brand: 'alfa', priority: 'P2' },
  { channel: 'email', priority: 'P2' },
  { channel: 'messenger', priority: 'P2' },
];
const TOPICS = LANES.map(laneTopic);

interface Place {
  readonly topic: string;
  readonly partition: number;
  /** Where to begin, inclusive. */
  readonly from: number;
  /** Where to end, exclusive. */
  readonly to: number;
}

const clientOf = (broker: string): Kafka =>
  new Kafka({ clientId: 'bench', brokers: [broker], logLevel: logLevel.NOTHING });

async function endsOf(admin: Admin): Promise<Map<string, number>> {
  const ends = new Map<string, number>();
  for (const topic of TOPICS) {
    for (const { partition, high } of await admin.fetchTopicOffsets(topic))
      ends.set(`${topic}|${partition}`, Number(high));
  }
  return ends;
}

/** Counts the ids of a reference among the records of one partition that lie in the range. */
function countIds(
  messages: readonly KafkaMessage[],
  place: Place,
  reference: string,
  counts: Map<string, number>,
): void {
  for (const { offset, value, headers } of messages) {
    const at = Number(offset);
    if (at < place.from || at >= place.to) continue;
    const decoded = decodeMessage(value, headers?.[HEADER.schema]?.toString());
    if (decoded.kind !== 'message' || decoded.message.reference !== reference) continue;
    counts.set(decoded.message.id, (counts.get(decoded.message.id) ?? 0) + 1);
  }
}

/** Remembers where the lanes end; `read` gives the ids that were written since then under a reference. */
export class LaneIds {
  private constructor(
    private readonly kafka: Kafka,
    private readonly starts: ReadonlyMap<string, number>,
  ) {}

  static async from(broker: string): Promise<LaneIds> {
    const kafka = clientOf(broker);
    const admin = kafka.admin();
    await admin.connect();
    const starts = await endsOf(admin).finally(() => admin.disconnect());
    return new LaneIds(kafka, starts);
  }

  /** How often each id of this reference was written. */
  async read(reference: string): Promise<Map<string, number>> {
    const open = new Map((await this.places()).map((place) => [`${place.topic}|${place.partition}`, place]));
    const counts = new Map<string, number>();
    if (open.size === 0) return counts;
    const consumer = this.kafka.consumer({
      groupId: `bench-${randomUUID()}`,
      allowAutoTopicCreation: false,
      maxWaitTimeInMs: 100,
    });
    await consumer.connect();
    try {
      await consumer.subscribe({ topics: [...TOPICS], fromBeginning: true });
      const eachBatch = ({ batch }: EachBatchPayload): Promise<void> => {
        const key = `${batch.topic}|${batch.partition}`;
        const place = open.get(key);
        if (place) countIds(batch.messages, place, reference, counts);
        if (place && Number(batch.lastOffset()) + 1 >= place.to) open.delete(key);
        return Promise.resolve();
      };
      const running = consumer.run({ autoCommit: false, eachBatch });
      for (const { topic, partition, from } of open.values())
        consumer.seek({ topic, partition, offset: String(from) });
      await running;
      const describe = (): string => `${open.size} partitions still to read, ${counts.size} ids`;
      await until(() => open.size === 0, { deadlineMs: 180_000, stallMs: 60_000, everyMs: 100, describe });
    } finally {
      await consumer.disconnect();
    }
    return counts;
  }

  private async places(): Promise<Place[]> {
    const admin = this.kafka.admin();
    await admin.connect();
    const ends = await endsOf(admin).finally(() => admin.disconnect());
    return [...ends].flatMap(([key, to]) => {
      const [topic, partition] = key.split('|') as [string, string];
      const from = this.starts.get(key) ?? 0;
      return to > from ? [{ topic, partition: Number(partition), from, to }] : [];
    });
  }
}
