import type { Consumer } from 'kafkajs';

const NOT_RUNNING = 'Consumer group was not initialized';

/**
 * Which topics a member fetches from. States of a topic: FETCHING ⇄ PAUSED; all of them → STOPPED by `stop`, for good.
 * kafkajs forgets pauses with the consumer they were set on, and takes none before the consumer runs: `begin` tells of a new
 * one, or of a new generation. Invariant: no method throws because a consumer does not run yet.
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
    this.paused.clear();
    for (const topic of this.topics) {
      if (fetching && !this.stopped) this.tell('resume', topic);
      else this.pause(topic);
    }
  }

  pause(topic: string): void {
    if (this.paused.has(topic)) return;
    this.paused.add(topic);
    this.tell('pause', topic);
  }

  resume(topic: string): void {
    if (!this.paused.delete(topic) || this.stopped) return;
    this.tell('resume', topic);
  }

  stop(): void {
    this.stopped = true;
    for (const topic of this.topics) this.tell('pause', topic);
  }

  /** What a consumer that does not run yet cannot be told is made good by `begin`, before its first fetch. */
  private tell(what: 'pause' | 'resume', topic: string): void {
    try {
      this.consumer?.[what]([{ topic }]);
    } catch (error) {
      if (!String(error).includes(NOT_RUNNING)) throw error;
    }
  }
}
