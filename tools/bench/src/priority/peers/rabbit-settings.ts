import type { Priority } from '@commservice/contracts';
import type { Options } from 'amqplib';

/** Higher goes first; the broker keeps one list for each level up to the highest. */
const RABBIT_PRIORITY: Readonly<Record<Priority, number>> = { P1: 3, P2: 2, P3: 1 };

/** Deliveries that a consumer holds without having acknowledged them. */
export const PREFETCH = 8;

/** The one queue: classic, on disk, with priorities. */
export const RABBIT_QUEUE: Options.AssertQueue = { durable: true, maxPriority: RABBIT_PRIORITY.P1 };

/** How a message of a class is published: written to disk before it is confirmed, as Kafka's acks are. */
export const publishOptions = (priority: Priority): Options.Publish => ({
  priority: RABBIT_PRIORITY[priority],
  persistent: true,
});
