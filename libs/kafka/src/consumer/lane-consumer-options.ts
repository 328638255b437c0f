import type { Clock } from '@commservice/contracts';
import type { Logger } from '@commservice/telemetry';
import type { KafkaOptions } from '../client.js';
import type { RecordSink } from '../record-sink.js';
import type { ConsumerTiming } from './timing.js';

export interface LaneConsumerOptions {
  readonly kafka: KafkaOptions;
  readonly group: string;
  readonly topics: readonly string[];
  readonly timing: ConsumerTiming;
  readonly sink: RecordSink;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Read a non-empty topic from its beginning although the group has no commit. Default false. */
  readonly initGroup?: boolean;
  /**
   * `host:port` on which this process listens for as long as it lives. Members with one watch each other, so that a dead
   * one is replaced at once and not a session later. Default: neither watched nor watching.
   */
  readonly address?: string;
  /** Called when a commit was refused or lost. */
  readonly onCommitError?: () => void;
  /** Called with each generation joined. */
  readonly onGeneration?: () => void;
  /** Called when a consumer that kafkajs gave up, or that fell silent, is built anew. */
  readonly onRebuild?: () => void;
}
