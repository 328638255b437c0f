import { Kafka, logLevel } from 'kafkajs';
import { testServers } from '../servers/test-servers.js';

/** kafkajs itself, without the platform's own rules: what tests write raw records and read topics with. */
export async function rawKafka(brokers?: readonly string[]): Promise<Kafka> {
  return new Kafka({
    clientId: 'testkit',
    brokers: [...(brokers ?? (await testServers()).kafka.brokers)],
    logLevel: logLevel.NOTHING,
    connectionTimeout: 5_000,
    retry: { initialRetryTime: 100, retries: 10 },
  });
}
