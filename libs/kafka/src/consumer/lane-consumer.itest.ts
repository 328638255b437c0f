import { Socket } from 'node:net';
import { createTopics, testServers, uniqueName, until } from '@commservice/testkit';
import { silentLogger } from '@commservice/telemetry';
import { TopicAdmin } from '../admin/topic-admin.js';
import { waitForCoordinator } from '../admin/coordinator.js';
import { RecordProducer } from '../producer/record-producer.js';
import type { FetchedRecord } from '../record.js';
import { LaneConsumer } from './lane-consumer.js';
import { P1_TIMING } from './timing.js';

jest.setTimeout(60_000);

const logger = silentLogger;
let brokers: string[];
const open: { stop(deadlineMs: number): Promise<void> }[] = [];

beforeAll(async () => {
  brokers = [...(await testServers()).kafka.brokers];
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((c) => c.stop(3_000)));
});

/** A lane whose slots settle each record when the test says so, or by themselves after `sendMs`. */
function lane(
  name: string,
  group: string,
  topic: string,
  options: { sendMs?: number; high?: number; slots?: number; initGroup?: boolean } = {},
) {
  const { sendMs = 0, high = 500 } = options;
  let { slots = 16 } = options;
  const queue: FetchedRecord[] = [];
  const sent: FetchedRecord[] = [];
  const held: FetchedRecord[] = [];
  let busy = 0;
  let peak = 0;
  let joins = 0;
  const pump = (): void => {
    while (busy < slots && queue.length > 0 && consumer.ownershipFresh()) {
      const record = queue.shift() as FetchedRecord;
      sent.push(record);
      if (queue.length < high / 2) consumer.drained(topic);
      if (sendMs === Infinity) {
        held.push(record);
        continue;
      }
      busy++;
      setTimeout(() => {
        busy--;
        consumer.settle(record);
        pump();
      }, sendMs);
    }
  };
  const consumer = new LaneConsumer({
    kafka: { brokers, clientId: name },
    group,
    topics: [topic],
    timing: P1_TIMING,
    logger,
    initGroup: options.initGroup,
    sink: {
      offer: (records) => {
        queue.push(...records);
        peak = Math.max(peak, queue.length);
        pump();
      },
      isFull: () => queue.length >= high,
      dropAll: () => void (joins++, queue.splice(0)),
    },
  });
  open.push(consumer);
  /** Sends nothing more, as the dispatcher does before it stops its consumer. */
  const halt = (): void => void ((slots = 0), queue.splice(0));
  return { consumer, sent, held, halt, peak: () => peak, joins: () => joins };
}

const HEARTBEAT = 12;

/** Stands still, the whole process, right after a heartbeat was written: its answer comes and lies unread. */
async function frozenAfterHeartbeat(ms: number): Promise<void> {
  const write = Socket.prototype.write;
  await new Promise<void>((resolve) => {
    Socket.prototype.write = function (this: Socket, ...args: Parameters<Socket['write']>): boolean {
      const written = write.apply(this, args);
      const [bytes] = args as unknown[];
      if (!Buffer.isBuffer(bytes) || bytes.length < 6 || bytes.readInt16BE(4) !== HEARTBEAT) return written;
      Reflect.deleteProperty(Socket.prototype, 'write'); // the inherited one
      setImmediate(() => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
        resolve();
      });
      return written;
    } as Socket['write'];
  });
}

async function setUp(partitions = 6) {
  const topic = uniqueName('lane');
  await createTopics([{ name: topic, partitions }]);
  const admin = new TopicAdmin({ kafka: { brokers, clientId: 'test' }, logger });
  await admin.connect(10_000);
  open.push({ stop: () => admin.close() });
  const producer = new RecordProducer({ kafka: { brokers, clientId: 'test' }, logger });
  await producer.connect([topic]);
  open.push({ stop: (ms) => producer.close(ms) });
  const produce = (n: number, from = 0) =>
    Promise.all(
      Array.from({ length: n }, (_, i) =>
        producer.produce({ topic, key: `k${from + i}`, value: `v${from + i}` }, 10_000),
      ),
    );
  const committed = async (group: string): Promise<number> =>
    [...((await admin.committed(group, [topic])).get(topic)?.values() ?? [])].reduce(
      (sum, o) => sum + Math.max(0, o),
      0,
    );
  const memberCount = async (): Promise<number> => (await admin.members(topic)).length;
  return { topic, group: topic, produce, committed, memberCount };
}

describe('LaneConsumer', () => {
  it('settles every record and commits the end, while a second member joins and leaves', async () => {
    const { topic, group, produce, committed } = await setUp();
    await waitForCoordinator({
      kafka: { brokers, clientId: 'test' },
      groups: [group],
      deadlineMs: 10_000,
      logger,
    });
    const a = lane('a', group, topic, { sendMs: 4, high: 200 });
    await a.consumer.start();
    await until(() => a.consumer.ready, { describe: 'the first member joins' });
    const acks = await produce(4_000);
    expect(acks.every((ack) => ack.kind === 'acked')).toBe(true);
    const b = lane('b', group, topic, { sendMs: 4, high: 200 });
    await b.consumer.start();
    await until(() => b.sent.length > 100, { describe: 'the second member sends' });
    b.halt();
    await b.consumer.stop(5_000);
    const keys = (): Set<string> => new Set([...a.sent, ...b.sent].map((r) => `${r.partition}:${r.offset}`));
    await until(() => keys().size === 4_000, { describe: 'all records are sent', deadlineMs: 40_000 });
    await until(async () => (await committed(group)) === 4_000, { describe: 'all are committed' });
    // what was in the air at each of the three hand-overs may be sent twice, and what was sent while the group waited for
    // joins, as nothing is committed then: here nothing claims
    expect(a.sent.length + b.sent.length - 4_000).toBeLessThanOrEqual(16 * 2 * 3 * 4);
    expect(a.peak()).toBeLessThan(200 + 6 * 1_000);
  });

  it('goes on past a record that hangs, and commits nothing behind it', async () => {
    const { topic, group, produce, committed } = await setUp(1);
    const a = lane('a', group, topic, { sendMs: Infinity });
    await a.consumer.start();
    await until(() => a.consumer.ready, { describe: 'the member joins' });
    await produce(10);
    await until(() => a.held.length === 10, { describe: 'all are handed on' });
    for (const record of a.held.filter((r) => r.offset !== 3)) a.consumer.settle(record);
    await until(async () => (await committed(group)) === 3, {
      describe: 'the watermark stops at the hung one',
    });
    a.consumer.settle(a.held[3] as FetchedRecord);
    await until(async () => (await committed(group)) === 10, { describe: 'the watermark passes all' });
  });

  it('knows which records no other member can have had', async () => {
    const { topic, group, produce } = await setUp(1);
    const a = lane('a', group, topic, { initGroup: true });
    await produce(3);
    await a.consumer.start();
    await until(() => a.sent.length === 3, { describe: 'the old records' });
    expect(a.sent.every((r) => !r.fresh)).toBe(true);
    await until(() => a.consumer.ownership(topic).owned === 1, { describe: 'the assignment' });
    await produce(3, 3);
    await until(() => a.sent.length === 6, { describe: 'the new records' });
    expect(a.sent.slice(3).every((r) => r.fresh)).toBe(true);
  });

  it('owns nothing after it was frozen with a heartbeat in the air, until it has joined again', async () => {
    const { topic, group } = await setUp(1);
    const a = lane('a', group, topic, { initGroup: true });
    await a.consumer.start();
    await until(() => a.consumer.ownershipFresh(), { describe: 'the member owns its partition' });
    await frozenAfterHeartbeat(P1_TIMING.sessionMs + 1_000);
    expect(a.consumer.ownershipFresh()).toBe(false);
    const owned = a.joins();
    let early = 0;
    await until(
      () => {
        if (a.consumer.ownershipFresh() && a.joins() === owned) early++;
        return a.joins() > owned && a.consumer.ownershipFresh();
      },
      { describe: 'the member has joined again', everyMs: 1, deadlineMs: 30_000 },
    );
    expect(early).toBe(0);
  });

  it('refuses to start where its group has no commit on a topic that holds records', async () => {
    const { topic, group, produce } = await setUp(1);
    await produce(1);
    const started = await lane('a', group, topic).consumer.start();
    expect(started).toMatchObject({ kind: 'refused' });
    expect(await lane('a', group, topic, { initGroup: true }).consumer.start()).toEqual({ kind: 'started' });
  });

  it('stops while it is being built, and leaves nobody in the group', async () => {
    const { topic, group, memberCount } = await setUp(1);
    const a = lane('a', group, topic);
    const starting = a.consumer.start();
    await until(() => a.consumer['consumer'] !== undefined, { everyMs: 1, describe: 'kafkajs is given it' });
    expect(a.joins()).toBe(0);
    a.consumer.stopFetching();
    await a.consumer.stop(3_000);
    await starting;
    await until(async () => (await memberCount()) === 0, { describe: 'the group is empty' });
    expect(a.consumer.ownershipFresh()).toBe(false);
  });

  it('commits its start before anything is settled, so that a restart needs no --init-group', async () => {
    const { topic, group, produce } = await setUp(2);
    const a = lane('a', group, topic, { sendMs: Infinity });
    await a.consumer.start();
    await until(() => a.consumer.ready, { describe: 'the member joins' });
    await a.consumer.stop(3_000);
    await produce(5);
    const b = lane('b', group, topic);
    expect(await b.consumer.start()).toEqual({ kind: 'started' });
    await until(() => b.sent.length === 5, { describe: 'the records that came meanwhile' });
  });
});
