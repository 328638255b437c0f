import { createTopics, ownServers, readAll, uniqueName, until, type OwnServers } from '@commservice/testkit';
import { silentLogger } from '@commservice/telemetry';
import type { ProduceResult } from '../record.js';
import { RecordProducer } from './record-producer.js';

jest.setTimeout(90_000);

let servers: OwnServers;
let topic: string;
let producer: RecordProducer;

beforeAll(async () => {
  servers = await ownServers(['kafka'], { kept: true });
});
afterAll(async () => {
  await servers.close();
});
beforeEach(async () => {
  topic = uniqueName('produce');
  await createTopics([{ name: topic, partitions: 3 }], [servers.address('kafka')]);
  producer = new RecordProducer({
    kafka: { brokers: [servers.address('kafka')], clientId: 'test' },
    logger: silentLogger,
    requestTimeoutMs: 1_000,
    maxBufferedBytes: 1_000_000,
  });
  await producer.connect([topic]);
});
afterEach(async () => {
  servers.resume('kafka');
  await producer.close(2_000);
});

const stored = async (): Promise<Map<string, number>> => {
  const counts = new Map<string, number>();
  for (const record of await readAll(topic, { brokers: [servers.address('kafka')] }))
    counts.set(record.key ?? '', (counts.get(record.key ?? '') ?? 0) + 1);
  return counts;
};

/** Produces without pause until told to stop; returns every answer by key. */
function stream(clients: number, deadlineMs: number) {
  const answers = new Map<string, ProduceResult>();
  let running = true;
  let n = 0;
  const client = async (): Promise<void> => {
    while (running) {
      const key = `k${n++}`;
      const answer = await producer.produce({ topic, key, value: 'v' }, deadlineMs);
      answers.set(key, answer);
      if (answer.kind !== 'acked') await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const all = Promise.all(Array.from({ length: clients }, client));
  return { answers, stop: () => ((running = false), all) };
}

const kinds = (answers: ReadonlyMap<string, ProduceResult>, kind: string): string[] =>
  [...answers].filter(([, a]) => a.kind === kind).map(([k]) => k);

describe('RecordProducer', () => {
  it('puts a key where the Java client would, in the order of its produces', async () => {
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        producer.produce({ topic, key: 'one-key', value: String(i) }, 5_000),
      ),
    );
    expect(new Set(results.map((r) => r.kind === 'acked' && r.partition)).size).toBe(1);
    const values = (await readAll(topic, { brokers: [servers.address('kafka')] })).map((r) =>
      Number(r.value?.toString()),
    );
    expect(values).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });

  it('answers for an unknown topic instead of throwing', async () => {
    expect(await producer.produce({ topic: 'no-such-topic', key: 'k', value: 'v' }, 1_000)).toMatchObject({
      kind: 'not-stored',
    });
    expect(await producer.produce({ topic, key: 'k', value: 'v' }, 1_000)).toMatchObject({ kind: 'acked' });
  });

  it.each([
    ['killed and started again', () => servers.kill('kafka'), () => servers.start('kafka')],
    [
      'frozen and thawed',
      () => Promise.resolve(servers.pause('kafka')),
      () => Promise.resolve(servers.resume('kafka')),
    ],
  ])(
    'while the broker is %s: answers in time, holds little, recovers by itself, and never lies',
    async (_name, down, up) => {
      const { answers, stop } = stream(20, 1_500);
      await until(() => kinds(answers, 'acked').length > 200, { describe: 'records are acknowledged' });
      await down();
      await until(() => kinds(answers, 'not-stored').length > 50, { describe: 'refusals while it is gone' });
      expect(producer.buffered).toBeLessThan(1_000_000);
      await up();
      const before = kinds(answers, 'acked').length;
      await until(() => kinds(answers, 'acked').length > before + 200, {
        describe: 'acknowledged again',
        deadlineMs: 40_000,
      });
      await stop();
      const found = await stored();
      expect(kinds(answers, 'acked').filter((key) => !found.has(key))).toEqual([]);
      expect(kinds(answers, 'not-stored').filter((key) => found.has(key))).toEqual([]);
      // every record there had an answer that allowed it
      expect(kinds(answers, 'unknown').length).toBeLessThanOrEqual(20 * 3);
    },
  );

  it('turns records away at once when its buffer is full', async () => {
    servers.pause('kafka');
    const big = 'x'.repeat(100_000);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) => producer.produce({ topic, key: `b${i}`, value: big }, 500)),
    );
    expect(
      results.filter((r) => r.kind === 'not-stored' && r.reason === 'the produce buffer is full').length,
    ).toBeGreaterThanOrEqual(10);
  });
});
