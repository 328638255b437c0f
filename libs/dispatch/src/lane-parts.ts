import type { LocalClaims } from '@commservice/batch-safety';
import type { Clock, Lane } from '@commservice/contracts';
import type { KafkaOptions, RecordProducer } from '@commservice/kafka';
import type { Logger, Metrics } from '@commservice/telemetry';
import type { LaneControls } from './controls/lane-controls.js';
import type { LaneAccount } from './lane-sender.js';
import type { SentIndex } from './receipts/sent-index.js';
import type { Keys } from './steps/admit.js';

/** What one lane is made of. Everything that lanes must not share is made inside. */
export interface LaneParts {
  readonly lane: Lane;
  /** The lane's retry topics instead of its main topic: a lane of its own, with its own group, client, queue and slots. */
  readonly retry: boolean;
  readonly kafka: KafkaOptions;
  /** `host:port` on which this process listens; undefined = its P1 lanes are not watched by those of other pods. */
  readonly address?: string;
  readonly initGroup: boolean;
  /** The lane's own account first, then those that its P1 may fail over to. */
  readonly accounts: readonly LaneAccount[];
  readonly claims: LocalClaims;
  readonly reserveMs: () => number;
  readonly keys: Keys;
  readonly controls: Pick<LaneControls, 'pauseOf'>;
  readonly producer: RecordProducer;
  readonly sent: SentIndex;
  readonly build: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}
