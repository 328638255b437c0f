import { allTopics, perBrandOf, PRIORITIES, type Catalogue, type Priority } from '@commservice/contracts';
import { RecordProducer } from '@commservice/kafka';
import type { ServiceRuntime } from '@commservice/telemetry';
import type { IngestConfig } from './config.js';

export interface Producers {
  readonly lanes: Readonly<Record<Priority, RecordProducer>>;
  readonly events: RecordProducer;
}

/**
 * One producer, with a connection of its own, per class, and one for events. None compresses: sealed content does not
 * shrink, and the time is P1's.
 */
export function createProducers(config: IngestConfig, { logger, pod }: ServiceRuntime): Producers {
  const producer = (name: string): RecordProducer =>
    new RecordProducer({
      kafka: { brokers: config.KAFKA_BROKERS, clientId: `${pod}-${name}` },
      logger: logger.child({ producer: name }),
      maxBufferedBytes: config.PRODUCE_BUFFER_BYTES,
      requestTimeoutMs: 3000,
    });
  return {
    lanes: { P1: producer('p1'), P2: producer('p2'), P3: producer('p3') },
    events: producer('events'),
  };
}

/** Connects all of them; each learns the partitions of its topics. Rejects when Kafka does not answer in time. */
export async function connectProducers(
  producers: Producers,
  catalogue: Catalogue,
  deadlineMs: number,
): Promise<void> {
  const names = allTopics(catalogue.brands, perBrandOf(catalogue), 'dev').map((t) => t.name);
  const lanesOf = (priority: Priority): string[] =>
    names.filter(
      (n) =>
        n.includes('.messages.') && /^commservice\..*priority[123]$/.test(n) && n.endsWith(priority.slice(1)),
    );
  const events = names.filter((n) => n.startsWith('commservice.events.'));
  await Promise.all([
    ...PRIORITIES.map((p) => producers.lanes[p].connect(lanesOf(p), deadlineMs)),
    producers.events.connect(events, deadlineMs),
  ]);
}

/** Flushes and closes all of them within the deadline. */
export async function closeProducers(producers: Producers, deadlineMs: number): Promise<void> {
  await Promise.all(
    [...PRIORITIES.map((p) => producers.lanes[p]), producers.events].map((p) => p.close(deadlineMs)),
  );
}

/** Whether the last send of every class, or its connection, worked. An idle producer notices nothing. */
export const allHealthy = ({ lanes, events }: Producers): boolean =>
  events.healthy && PRIORITIES.every((p) => lanes[p].healthy);
