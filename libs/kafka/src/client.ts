import './kafkajs-idle-patch.js';
import { Kafka, logLevel, type KafkaConfig, type LogEntry } from 'kafkajs';
import type { Logger } from '@commservice/telemetry';

/** How to reach the brokers. */
export interface KafkaOptions {
  /** `host:port` of at least one broker. */
  readonly brokers: readonly string[];
  /** Name of this client in broker logs and quotas, for example `sms-1`. */
  readonly clientId: string;
}

const CONNECTION_TIMEOUT_MS = 5_000;

/**
 * One kafkajs client. Its log lines go out as debug: what matters of them reaches us as rejected calls and CRASH events,
 * which the callers report once, in plain words.
 */
export function createClient(
  options: KafkaOptions,
  logger: Logger,
  config: Partial<KafkaConfig> = {},
): Kafka {
  return new Kafka({
    clientId: options.clientId,
    brokers: [...options.brokers],
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: 30_000,
    retry: { initialRetryTime: 200, maxRetryTime: 5_000, retries: 10 },
    logLevel: logLevel.WARN,
    logCreator: () => (entry: LogEntry) => {
      logger.debug({ kafkajs: entry.namespace, level: entry.label }, entry.log.message);
    },
    ...config,
  });
}
