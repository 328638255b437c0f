import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { silentLogger } from '@commservice/telemetry';
import { createTopics, testServers, uniqueName, until } from '@commservice/testkit';
import { waitForCoordinator } from '../admin/coordinator.js';
import { removeMember } from '../admin/group-admin.js';
import { TopicAdmin } from '../admin/topic-admin.js';
import { RecordProducer } from '../producer/record-producer.js';
import type { RecordSink } from '../record-sink.js';
import type { FetchedRecord } from '../record.js';
import { readMember } from './assigner/sticky-assigner.js';
import { LaneConsumer } from './lane-consumer.js';
import { P1_TIMING } from './timing.js';

jest.setTimeout(60_000);

const PARTITIONS = 6;
/** A member in a process of its own: it listens, joins, and says when it is ready. Runs the built library. */
const MEMBER = `
const { LaneConsumer, P1_TIMING } = require('@commservice/kafka');
const { silentLogger } = require('@commservice/telemetry');
const [brokers, topic] = JSON.parse(process.argv[1]);
const server = require('node:net').createServer((socket) => socket.destroy()).listen(0, '127.0.0.1', async () => {
  const address = '127.0.0.1:' + server.address().port;
  const sink = { offer() {}, isFull: () => false, dropAll() {} };
  const consumer = new LaneConsumer({
    kafka: { brokers, clientId: 'b' }, group: topic, topics: [topic], timing: P1_TIMING, sink, logger: silentLogger, address,
  });
  await consumer.start();
  const look = setInterval(() => consumer.ready && (clearInterval(look), console.log('ready')), 20);
});
`;

let brokers: readonly string[];
const members: LaneConsumer[] = [];
const processes: ChildProcess[] = [];
const servers: Server[] = [];
let producing: NodeJS.Timeout | undefined;

beforeAll(async () => {
  ({ brokers } = (await testServers()).kafka);
});
afterEach(async () => {
  clearInterval(producing);
  for (const child of processes.splice(0)) child.kill('SIGKILL');
  await Promise.all(members.splice(0).map((m) => m.stop(3_000)));
  for (const server of servers.splice(0)) server.close();
});

async function newTopic(): Promise<string> {
  const name = uniqueName('takeover');
  await createTopics([{ name, partitions: PARTITIONS }]);
  const kafka = { brokers, clientId: 'test' };
  await waitForCoordinator({ kafka, groups: [name], deadlineMs: 10_000, logger: silentLogger });
  return name;
}

async function join(
  topic: string,
  clientId: string,
  offer: RecordSink['offer'] = () => undefined,
  onGeneration: () => void = () => undefined,
): Promise<LaneConsumer> {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  const member = new LaneConsumer({
    kafka: { brokers, clientId },
    group: topic,
    topics: [topic],
    timing: P1_TIMING,
    sink: { offer, isFull: () => false, dropAll: () => undefined },
    onGeneration,
    logger: silentLogger,
    address: `127.0.0.1:${(server.address() as { port: number }).port}`,
  });
  members.push(member);
  await member.start();
  await until(() => member.ready, { describe: `${clientId} joins` });
  return member;
}

async function joinAsProcess(topic: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', MEMBER, JSON.stringify([brokers, topic])], {
    cwd: __dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  processes.push(child);
  let said = '';
  child.stdout?.on('data', (text: Buffer) => (said += String(text)));
  await until(() => said.includes('ready'), { describe: 'the other process joins' });
  return child;
}

/** Takes out the member that is not `self`, as one that was taken for dead. */
async function evictAnother(topic: string, self: LaneConsumer): Promise<void> {
  const kafka = { brokers, clientId: 'test' };
  const admin = new TopicAdmin({ kafka, logger: silentLogger });
  await admin.connect(10_000);
  const members = (await admin.members(topic)).map((m) => readMember(m.memberId, m.metadata));
  await admin.close();
  const other = members.find(({ address }) => address !== self['options'].address);
  await removeMember({ kafka, group: topic, logger: silentLogger }, other?.memberId as string);
}

const owned = (member: LaneConsumer, topic: string): number => member.ownership(topic).owned;

describe('the members of a lane', () => {
  it('share out what a killed process owned, long before its session ends', async () => {
    const topic = await newTopic();
    const a = await join(topic, 'a');
    const b = await joinAsProcess(topic);
    await until(() => owned(a, topic) === PARTITIONS / 2, { describe: 'both share the topic' });
    b.kill('SIGKILL');
    const killedAt = performance.now();
    await until(() => owned(a, topic) === PARTITIONS && a.ready, { everyMs: 5, describe: 'a owns all' });
    expect(performance.now() - killedAt).toBeLessThan(P1_TIMING.sessionMs / 2);
  });

  it('leave a frozen process in the group until its session ends', async () => {
    const topic = await newTopic();
    const a = await join(topic, 'a');
    const b = await joinAsProcess(topic);
    await until(() => owned(a, topic) === PARTITIONS / 2, { describe: 'both share the topic' });
    b.kill('SIGSTOP');
    const frozenAt = performance.now();
    await until(() => owned(a, topic) === PARTITIONS && a.ready, { everyMs: 5, describe: 'a owns all' });
    // its last heartbeat may be one fetch and one interval old
    expect(performance.now() - frozenAt).toBeGreaterThan(P1_TIMING.sessionMs * 0.8);
  });

  it('take no record for fresh that one taken out wrongly may have had', async () => {
    const topic = await newTopic();
    const offers = new Map<string, { by: string; fresh: boolean }[]>();
    const collect = (by: string) => (records: readonly FetchedRecord[]) => {
      for (const { partition, offset, fresh } of records) {
        const name = `${partition}:${offset}`;
        offers.set(name, [...(offers.get(name) ?? []), { by, fresh }]);
      }
    };
    const generations = { a: 0, b: 0 };
    const a = await join(topic, 'a', collect('a'), () => generations.a++);
    const b = await join(topic, 'b', collect('b'), () => generations.b++);
    await until(() => owned(a, topic) === PARTITIONS / 2, { describe: 'both share the topic' });
    const producer = new RecordProducer({ kafka: { brokers, clientId: 'test' }, logger: silentLogger });
    await producer.connect([topic]);
    let n = 0;
    const produce = (): unknown => producer.produce({ topic, key: `k${n++}`, value: 'v' }, 10_000);
    producing = setInterval(produce, 2);
    const freshOf = (by: string): number =>
      [...offers.values()].flat().filter((offer) => offer.by === by && offer.fresh).length;
    await until(() => freshOf('a') > 0 && freshOf('b') > 0, { describe: 'the hand-over time is over' });
    const before = { ...generations };
    await evictAnother(topic, a);
    // whether a owns all meanwhile depends on who of the two hears of it first
    await until(() => generations.a > before.a && generations.b > before.b && a.ready && b.ready, {
      describe: 'both have joined again',
    });
    await until(() => owned(a, topic) === PARTITIONS / 2, { describe: 'both share the topic again' });
    clearInterval(producing);
    await producer.close(5_000);
    const twice = [...offers.values()].filter((all) => all.length > 1);
    expect(twice.length).toBeGreaterThan(0);
    expect(twice.filter((all) => all.filter(({ fresh }) => fresh).length > 1)).toEqual([]);
  });

  it('may send what they fetched while the group waits for one of them', async () => {
    const topic = await newTopic();
    const a = await join(topic, 'a');
    const b = await joinAsProcess(topic);
    await until(() => owned(a, topic) === PARTITIONS / 2, { describe: 'both share the topic' });
    b.kill('SIGSTOP');
    const joining = join(topic, 'c');
    await until(() => !a.ready, { everyMs: 5, describe: 'a joins again and waits for b' });
    expect(a.ownershipFresh()).toBe(true);
    b.kill('SIGKILL');
    const c = await joining;
    await until(() => a.ready && owned(a, topic) === PARTITIONS / 2, { describe: 'a and c share the topic' });
    expect(owned(c, topic)).toBe(PARTITIONS / 2);
    expect(a.ownershipFresh()).toBe(true);
  });
});
