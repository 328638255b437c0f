import type { Consumer } from 'kafkajs';

/**
 * Which topics a member fetches from. States of a topic: FETCHING ⇄ PAUSED; all of them → STOPPED by `stop`, for good.
 * kafkajs forgets pauses with the consumer they were set on: `begin` tells of a new one, or of a new generation.
 * Caller: LaneConsumer.
 */
export class TopicFlow {
  private readonly paused = new Set<string>();
  private consumer: Consumer | undefined;
  private stopped = false;

  constructor(private readonly topics: readonly string[]) {}

  /** From now on `consumer` is meant. */
  use(consumer: Consumer | undefined): void {
    this.consumer = consumer;
  }

  /** A new assignment: fetches from every topic, or from none until each is resumed. */
  begin(fetching: boolean): void {
    if (this.stopped) return;
    this.paused.clear();
    for (const topic of this.topics) {
      if (fetching) this.consumer?.resume([{ topic }]);
      else this.pause(topic);
    }
  }

  pause(topic: string): void {
    if (this.paused.has(topic)) return;
    this.paused.add(topic);
    this.consumer?.pause([{ topic }]);
  }

  resume(topic: string): void {
    if (!this.paused.delete(topic) || this.stopped) return;
    this.consumer?.resume([{ topic }]);
  }

  stop(): void {
    this.stopped = true;
    for (const topic of this.topics) this.consumer?.pause([{ topic }]);
  }
}
