import '@commservice/kafka'; // the override of kafkajs's timer
import type { Priority } from '@commservice/contracts';
import { Kafka, logLevel, type EachBatchPayload, type KafkaMessage } from 'kafkajs';
import type { BatchMutex } from './batch-mutex.js';
import { batchSizeOf, PARTITIONS, SLOTS, type PeerMessage, type PeerSettings } from './peer-settings.js';
import type { ProviderCall } from './provider-call.js';
import { Slots } from './slots.js';

export interface PeerConsumerOptions {
  readonly settings: PeerSettings;
  readonly topic: string;
  /** The class of its topic; undefined where all share one. */
  readonly priority: Priority | undefined;
  readonly call: ProviderCall;
  readonly mutex: BatchMutex | undefined;
}

/** One kafkajs consumer as most people write it: a batch is sent, so many at once, and awaited before the next fetch. */
export class PeerConsumer {
  private readonly slots = new Slots(SLOTS);

  constructor(private readonly options: PeerConsumerOptions) {}

  /** Resolves when it has joined its group and owns partitions. */
  async start(): Promise<void> {
    const { settings, topic } = this.options;
    const kafka = new Kafka({
      clientId: settings.pod,
      brokers: [settings.broker],
      logLevel: logLevel.NOTHING,
    });
    const consumer = kafka.consumer({
      groupId: `${topic}.group`,
      maxWaitTimeInMs: 100,
      heartbeatInterval: 500,
      allowAutoTopicCreation: false,
    });
    const joined = new Promise<void>((resolve) => {
      consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
        if ((payload.memberAssignment[topic]?.length ?? 0) > 0) resolve();
      });
    });
    // kafkajs restarts by itself what can be restarted; the rest ends the run
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      if (payload.restart) return;
      console.error(payload.error);
      process.exit(1);
    });
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      partitionsConsumedConcurrently: PARTITIONS,
      eachBatch: (payload) => this.take(payload),
    });
    await joined;
  }

  private async take(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload;
    const heartbeat = (): Promise<void> => payload.heartbeat();
    const { settings, priority, mutex } = this.options;
    const size = batchSizeOf(settings.mode, priority);
    for (let from = 0; from < batch.messages.length; from += size) {
      const some = batch.messages.slice(from, from + size);
      const send = (): Promise<void> => this.sendAll(some, heartbeat);
      if (mutex && priority) await mutex.run(priority, send, heartbeat);
      else await send();
    }
  }

  /** As many senders as slots, so that a long batch leaves the slots to others in turn. */
  private async sendAll(messages: readonly KafkaMessage[], heartbeat: () => Promise<void>): Promise<void> {
    let next = 0;
    const work = async (): Promise<void> => {
      for (let message = messages[next++]; message; message = messages[next++]) {
        const content = JSON.parse(String(message.value)) as PeerMessage;
        await this.slots.run(() => this.options.call.send(content));
        await heartbeat();
      }
    };
    await Promise.all(Array.from({ length: Math.min(SLOTS, messages.length) }, work));
  }
}
