import { createTopics as createRaw, testServers, uniqueName } from '@commservice/testkit';
import type { TopicSpec } from '@commservice/contracts';
import { silentLogger } from '@commservice/telemetry';
import { checkTopics, createTopics } from './topics.js';

const specOf = (name: string, partitions: number): TopicSpec => ({
  name,
  partitions,
  retentionMs: 864_000_000,
  maxMessageBytes: 1_048_576,
});

async function optionsFor(specs: readonly TopicSpec[]) {
  return { brokers: (await testServers()).kafka.brokers, specs, logger: silentLogger };
}

describe('topics', () => {
  it('creates what is missing, once', async () => {
    const options = await optionsFor([specOf(uniqueName('topics'), 6), specOf(uniqueName('topics'), 3)]);
    expect(await createTopics(options)).toEqual({ created: options.specs.map((s) => s.name), faults: [] });
    expect(await createTopics(options)).toEqual({ created: [], faults: [] });
  });

  it('reports a differing partition count and never changes it', async () => {
    const name = uniqueName('topics');
    await createRaw([{ ...specOf(name, 3), retentionMs: 60_000 }]);
    const options = await optionsFor([specOf(name, 6)]);

    const { faults } = await createTopics(options);

    expect(faults).toEqual([
      `Topic ${name}: the partition count is 3, not 6.`,
      `Topic ${name}: retention.ms is 60000, not 864000000.`,
    ]);
    expect(await checkTopics(options)).toEqual(faults);
  });

  it('reports a topic that does not exist', async () => {
    const name = uniqueName('topics');
    expect(await checkTopics(await optionsFor([specOf(name, 1)]))).toEqual([`Topic ${name} does not exist.`]);
  });
});
