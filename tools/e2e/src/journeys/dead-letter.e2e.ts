import { DLQ_HEADER, HEADER, KIP_1191, laneGroup, laneTopic, type Lane } from '@commservice/contracts';
import { produceRaw, until } from '@commservice/testkit';
import { deadLettersOf } from '../checks/dead-letters.js';
import { expectConserved, untilAllEnded } from '../checks/conservation.js';
import { Redrive } from '../client/redrive.js';
import { journey } from '../journey.js';

const LANE: Lane = { channel: 'messenger', priority: 'P2' };
const TOPIC = laneTopic(LANE);
const PARTITIONS = 6;

journey(
  'a record that cannot be decoded is dead-lettered with its context and the lane goes on',
  ['messenger-1'],
  async ({ api, platform, sandbox }) => {
    const brokers = [platform.urls.kafka];
    const bytes = Buffer.from(`{"not json ${api.reference}`);
    const everywhere = Array.from({ length: PARTITIONS }, (_, partition) => ({
      key: api.reference,
      value: bytes,
      partition,
    }));
    await produceRaw(TOPIC, everywhere, { brokers });
    // behind one bad record in every partition
    const ids = await api.sendMany('messenger', 'P2', 24);
    expect(await expectConserved({ api, platform, sandbox }, ids, { deadlineMs: 30_000 })).toBe(0);

    const dead = (await deadLettersOf(platform, LANE)).filter((r) => r.value?.equals(bytes));
    expect(dead.map((r) => Number(r.headers[KIP_1191.partition])).sort()).toEqual([0, 1, 2, 3, 4, 5]);
    for (const { headers } of dead) {
      expect(headers).toMatchObject({
        [KIP_1191.topic]: TOPIC,
        [KIP_1191.group]: laneGroup(LANE),
        [DLQ_HEADER.stage]: 'deserialize',
        [DLQ_HEADER.class]: 'record-fault',
        [DLQ_HEADER.disposition]: 'poison',
      });
      expect(Number(headers[KIP_1191.offset])).toBeGreaterThanOrEqual(0);
      expect(Number(headers[DLQ_HEADER.failedAt])).toBeGreaterThan(0);
      expect(headers[DLQ_HEADER.id]).toMatch(/^[0-9a-f]{32}$/);
    }
  },
);

journey(
  'a message the provider refuses is redriven with its class, brand, id and trace',
  ['messenger-1', 'dlq-redrive'],
  async ({ api, platform, sandbox }) => {
    const redrive = new Redrive(platform.urls.redrive);
    const text = `Refused words of ${api.reference}`;
    await sandbox.configure({ 'messenger-a': { refuse: [{ pattern: text, code: 'content_rejected' }] } });
    const id = await api.send('messenger', 'P2', { brand: 'beta', content: { text } });
    expect(await untilAllEnded(api, [id], { deadlineMs: 20_000 })).toEqual({ failed: 1 });
    const refused = await api.status(id);

    const record = (await deadLettersOf(platform, LANE)).find((r) => r.headers[HEADER.id] === id);
    expect(record?.headers).toMatchObject({
      [HEADER.priority]: 'P2',
      [DLQ_HEADER.stage]: 'provider',
      [DLQ_HEADER.disposition]: 'rejected',
      [DLQ_HEADER.code]: 'content_rejected',
      [DLQ_HEADER.brand]: 'beta',
      [DLQ_HEADER.account]: 'messenger-a',
    });

    await sandbox.configure({ 'messenger-a': { refuse: [] } });
    const entry = await until(
      async () => (await redrive.deadLetters(TOPIC)).find((d) => d.messageId === id),
      {
        describe: 'the dead letter is indexed',
      },
    );
    const job = await redrive.redrive([entry.id], api.reference);
    const statusOf = async (): Promise<boolean> => (await api.status(id)).status === 'delivered';
    await until(statusOf, {
      deadlineMs: 20_000,
      describe: `the redriven message is delivered (job ${job.id})`,
    });
    await until(async () => (await redrive.job(job.id)).state.toLowerCase() === 'completed', {
      describe: 'the job is completed',
    });

    const { traceId, brand, priority, channel, category } = refused;
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(await api.status(id)).toMatchObject({
      id,
      generation: 1,
      traceId,
      brand,
      priority,
      channel,
      category,
    });
    await sandbox.see();
    const calls = sandbox.calls.filter((c) => c.id === id);
    expect(calls.map((c) => c.outcome)).toEqual(['refused', 'accepted']);
    expect(calls[1]).toMatchObject({ priority: 'P2', brand: 'beta', channel: 'messenger' });
  },
);
