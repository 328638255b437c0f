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
  /** Called when a commit was refused or lost. */
  readonly onCommitError?: () => void;
}
