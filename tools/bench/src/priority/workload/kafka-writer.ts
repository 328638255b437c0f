import { PRIORITIES, type Priority } from '@commservice/contracts';
import { RecordProducer, type OutgoingRecord } from '@commservice/kafka';
import { silentLogger } from '@commservice/telemetry';
import { BenchFault } from '../../fault.js';
import type { Writer } from './writer.js';

const PRODUCE_MS = 15_000;

/** One producer a class, as ingest-api has them. */
export async function openKafkaWriter(
  broker: string,
  topics: Readonly<Record<Priority, string>>,
): Promise<Writer<OutgoingRecord>> {
  const producer = (priority: Priority): RecordProducer =>
    new RecordProducer({
      kafka: { brokers: [broker], clientId: `bench-${priority.toLowerCase()}` },
      logger: silentLogger,
    });
  const producers = { P1: producer('P1'), P2: producer('P2'), P3: producer('P3') };
  await Promise.all(PRIORITIES.map((p) => producers[p].connect([topics[p]])));
  return {
    async write(priority, record) {
      const result = await producers[priority].produce(record, PRODUCE_MS);
      if (result.kind !== 'acked') throw new BenchFault(`A ${priority} was not written: ${result.reason}.`);
    },
    close: async () => {
      await Promise.all(PRIORITIES.map((p) => producers[p].close(2_000)));
    },
  };
}
