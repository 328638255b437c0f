import { createTopics } from '@commservice/testkit';
import { BenchFault } from '../../fault.js';
import type { KafkaPeer, PeerMode } from '../mode.js';
import { PARTITIONS, partitionsOf, type PeerMessage, type PeerSettings } from '../peers/peer-settings.js';
import { findRabbit } from '../rabbit/rabbit-programs.js';
import { startRabbit } from '../rabbit/rabbit-server.js';
import { openBullWriter } from '../workload/bull-writer.js';
import { openKafkaWriter } from '../workload/kafka-writer.js';
import { openRabbitWriter } from '../workload/rabbit-writer.js';
import type { Writer } from '../workload/writer.js';
import type { ModePlatform } from './mode-platform.js';

type Topics = PeerSettings['topics'];

async function kafkaWriter(mode: KafkaPeer, kafka: string, topics: Topics): Promise<Writer<PeerMessage>> {
  await createTopics(
    [...new Set(Object.values(topics))].map((name) => ({ name, partitions: PARTITIONS })),
    [kafka],
  );
  const writer = await openKafkaWriter(kafka, topics);
  let next = 0;
  return {
    write(priority, message) {
      const own = partitionsOf(mode, priority);
      const place = own ? { partition: own[next++ % own.length] as number } : {};
      const value = JSON.stringify(message);
      return writer.write(priority, { topic: topics[priority], key: message.id, value, ...place });
    },
    close: () => writer.close(),
  };
}

/** Where a peer's messages are, and who writes them. */
export interface Place {
  readonly writer: Writer<PeerMessage>;
  readonly rabbit?: string;
  close(): Promise<void>;
}

async function rabbitPlace(dataDir: string, queue: string): Promise<Place> {
  const programs = findRabbit();
  if (!programs) throw new BenchFault('RabbitMQ is not installed on this machine.');
  const server = await startRabbit(programs, dataDir);
  try {
    const writer = await openRabbitWriter(server.url, queue);
    const close = async (): Promise<void> => {
      await writer.close();
      await server.stop();
    };
    return { writer, rabbit: server.url, close };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Opens the topics or the queue of a mode; starts RabbitMQ where the mode needs it. */
export async function openPlace(
  mode: PeerMode,
  { urls, dataDir }: ModePlatform,
  topics: Topics,
): Promise<Place> {
  const alone = (writer: Writer<PeerMessage>): Place => ({ writer, close: () => writer.close() });
  switch (mode) {
    case 'topics':
    case 'partitions':
    case 'fifo':
    case 'original':
      return alone(await kafkaWriter(mode, urls.kafka, topics));
    case 'bullmq':
    case 'bullmq-limiter':
      return alone(await openBullWriter(urls.redis, topics.P1));
    case 'rabbitmq':
      return rabbitPlace(dataDir, topics.P1);
  }
}
