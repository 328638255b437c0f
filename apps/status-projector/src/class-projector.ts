import type { Priority } from '@commservice/contracts';
import { BULK_TIMING, LaneConsumer, timingOf, type KafkaOptions } from '@commservice/kafka';
import type { MessageStore } from '@commservice/postgres';
import type { Logger, Metrics, ReadinessCheck } from '@commservice/telemetry';
import { EventBuffer } from './event-buffer.js';
import { EventWriter } from './event-writer.js';

export interface ClassProjectorOptions {
  readonly priority: Priority;
  /** Topic of the class's events. */
  readonly topic: string;
  /** Consumer group that projects them. */
  readonly group: string;
  readonly kafka: KafkaOptions;
  readonly store: MessageStore;
  /** Most events of one transaction. */
  readonly batchEvents: number;
  /** Waiting events at which fetching pauses. */
  readonly bufferEvents: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * The events of one class on their way into PostgreSQL: consumer → buffer → writer. Classes share no client and no
 * transaction, so a backlog of P3 events delays no P1 status.
 */
export class ClassProjector {
  private readonly consumer: LaneConsumer;
  private readonly buffer: EventBuffer;
  private readonly writer: EventWriter;

  constructor(options: ClassProjectorOptions) {
    const { priority, topic, group, kafka, store, metrics, batchEvents } = options;
    const logger = options.logger.child({ priority });
    this.buffer = new EventBuffer({
      highWater: options.bufferEvents,
      onDrained: () => this.consumer.drained(topic),
    });
    this.consumer = new LaneConsumer({
      kafka: { ...kafka, clientId: `${kafka.clientId}-${priority}` },
      group,
      topics: [topic],
      timing: priority === 'P3' ? BULK_TIMING : timingOf(priority),
      sink: this.buffer,
      logger,
      // Reading events again changes nothing, so a group without a commit simply begins at the beginning.
      initGroup: true,
      onGeneration: () => metrics.consumerRebalances.add(1, { group, priority }),
      onRebuild: () => metrics.consumerRebuilds.add(1, { group, priority }),
    });
    const settle = this.consumer.settle.bind(this.consumer);
    this.writer = new EventWriter({
      ...{ priority, group, buffer: this.buffer, store, settle, batchEvents, logger, metrics },
    });
    metrics.observe('consumerLag', () => [
      { value: this.consumer.lag(topic), attributes: { group, priority } },
    ]);
  }

  async start(): Promise<void> {
    const started = await this.consumer.start();
    if (started.kind === 'refused') throw new Error(started.reason);
    this.writer.start();
  }

  /** Stops fetching, finishes the transaction in the air, commits and leaves. */
  async stop(deadlineMs: number): Promise<void> {
    this.consumer.stopFetching();
    await this.writer.stop();
    await this.consumer.stop(deadlineMs);
  }

  /** Whether the group has been joined. */
  check(): ReadinessCheck {
    return this.consumer.ready
      ? { ok: true, detail: 'The consumer has its partitions.' }
      : { ok: false, detail: 'The consumer has not joined its group.' };
  }
}
