import type { Catalogue, Channel, Clock, Priority, Provider } from '@commservice/contracts';
import type { KafkaOptions } from '@commservice/kafka';
import type { Logger, Metrics } from '@commservice/telemetry';
import type { CatalogueChanges } from './catalogue/live-catalogue.js';

/** Everything a dispatcher is told. A dispatcher app holds nothing else. */
export interface DispatcherOptions {
  readonly channel: Channel;
  /** Name of this process, unique among its kind. */
  readonly pod: string;
  readonly build: string;
  readonly kafka: KafkaOptions;
  /**
   * `host:port` on which this process listens for as long as it lives, as other pods reach it: their P1 lanes notice by it
   * when it dies. Default: they notice when its session ends.
   */
  readonly address?: string;
  readonly redis: { readonly url: string; readonly keyPrefix: string };
  readonly databaseUrl: string;
  readonly masterKey: Buffer;
  /** The catalogue at start: lanes are built from it. */
  readonly catalogue: Catalogue;
  /** Where later catalogues come from; absent = there are none. */
  readonly catalogueChanges?: CatalogueChanges;
  /** Lanes to run (`sms:P1`, `push.alfa:P3`); empty = all of the channel. */
  readonly lanes: readonly string[];
  /** Base of the URL that providers post receipts to. */
  readonly receiptBaseUrl: string;
  /** Read topics that hold records although the group has no commit. */
  readonly initGroup: boolean;
  /** Makes the provider connection of one account and lane: lanes share no connection pool. */
  readonly provider: (wanted: ProviderRequest) => Provider;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface ProviderRequest {
  readonly account: string;
  readonly pod: string;
  readonly priority: Priority;
  /** Most calls in the air of this lane. */
  readonly connections: number;
  /** Whose time decides whether a call is still in time. */
  readonly clock: Clock;
  /** Whether the vendor recognises a repeated send by its key. */
  readonly idempotency: 'key' | 'none';
  /** Where receipts of messages of this redrive generation go. */
  readonly receiptUrl: (generation: number) => string;
}
