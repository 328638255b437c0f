import { randomBytes, randomUUID } from 'node:crypto';
import {
  createTopics,
  freshDatabase,
  produceRaw,
  readAll,
  testServers,
  uniqueName,
  until,
} from '@commservice/testkit';
import { buildDeadLetter } from '@commservice/batch-safety';
import {
  deadLetterTopic,
  laneTopic,
  messageHeaders,
  systemClock,
  type Lane,
  type Message,
} from '@commservice/contracts';
import { RecordProducer, RecordReader } from '@commservice/kafka';
import {
  DeadLetterStore,
  Postgres,
  RedriveProgress,
  RedriveStore,
  migrate,
  type DeadLetter,
  type RedriveJob,
  type RedriveSelector,
} from '@commservice/postgres';
import { noopMetrics, silentLogger } from '@commservice/telemetry';
import { DeadLetterIndexer } from './index/dead-letter-indexer.js';
import { JobRun } from './run/job-run.js';
import { Replay } from './run/replay.js';
import { RedriveRunner } from './run/runner.js';

const lane: Lane = { channel: 'sms', brand: `t${randomBytes(4).toString('hex')}`, priority: 'P2' };
const topic = deadLetterTopic(lane);
const logger = silentLogger;
const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

let n = 0;
function deadLetter(fields: { expiresAt?: number; code?: string } = {}) {
  const message: Message = {
    ...{
      id: `019a0000-0000-7000-8000-${(++n).toString(16).padStart(12, '0')}`,
      team: 'demo',
      channel: 'sms',
    },
    ...{ brand: lane.brand as string, category: 'order', priority: 'P2', sealed: 'sealed.v1.k.x', units: 1 },
    ...{ acceptedAt: Date.now(), expiresAt: fields.expiresAt ?? Date.now() + 3_600_000, kind: 'message' },
  };
  const dead = buildDeadLetter({
    record: {
      ...{
        topic: laneTopic(lane),
        partition: n % 2,
        offset: n,
        timestamp: Date.now(),
        key: Buffer.from(`k${n}`),
      },
      ...{ value: Buffer.from(JSON.stringify(message)), headers: messageHeaders(message, { traceparent }) },
    },
    ...{
      lane,
      group: 'g',
      attempts: 1,
      disposition: 'rejected',
      brand: lane.brand,
      build: 'b',
      nowEpochMs: Date.now(),
    },
    failure: { stage: 'provider', class: 'rejected-message', code: fields.code ?? 'refused', detail: 'no' },
  });
  return { message, record: { key: dead.key, value: dead.value, headers: dead.headers, partition: n % 2 } };
}

describe('redrive on real Kafka and PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let postgres: Postgres;
  let letters: DeadLetterStore;
  let jobs: RedriveStore;
  let indexer: DeadLetterIndexer;
  let reader: RecordReader;
  let producer: RecordProducer;
  let runners: RedriveRunner[] = [];

  beforeAll(async () => {
    const { brokers } = (await testServers()).kafka;
    const kafka = (clientId: string) => ({ brokers, clientId });
    database = await freshDatabase();
    await migrate({ connectionString: database.url, logger });
    postgres = new Postgres({ connectionString: database.url, max: 6, statementTimeoutMs: 5_000, logger });
    letters = new DeadLetterStore(postgres);
    jobs = new RedriveStore(postgres);
    await createTopics([
      { name: topic, partitions: 2 },
      { name: laneTopic(lane), partitions: 2 },
      { name: 'commservice.events.priority2', partitions: 6 },
    ]);
    for (const name of [topic, laneTopic(lane)]) {
      await until(() => readAll(name), { describe: 'the new topics have leaders', deadlineMs: 20_000 });
    }
    const group = uniqueName('index');
    indexer = new DeadLetterIndexer({
      kafka: kafka('index'),
      group,
      topics: [topic],
      store: letters,
      logger,
    });
    reader = new RecordReader({ kafka: kafka('reader'), topics: [topic], logger });
    producer = new RecordProducer({ kafka: kafka('replay'), logger });
    await Promise.all([indexer.start(), reader.start(), producer.connect([laneTopic(lane)])]);
    await until(() => indexer.check().ok, { describe: 'the indexer joins', deadlineMs: 30_000 });
  }, 120_000);

  afterEach(async () => {
    await Promise.all(runners.map((r) => r.stop()));
    runners = [];
  });

  afterAll(async () => {
    await Promise.all([indexer.stop(5_000), reader.close(), producer.close(5_000)]);
    await postgres.close(2_000);
    await database.drop();
  });

  const startRunner = (): RedriveRunner => {
    const progress = new RedriveProgress(postgres);
    const deadlines = { readDeadlineMs: 5_000, produceDeadlineMs: 5_000 };
    const replay = new Replay({ reader, producer, clock: systemClock, logger, ...deadlines });
    const runner = new RedriveRunner({
      ...{ postgres, progress, logger, idleMs: 20 },
      run: (job, signal) =>
        new JobRun(job, {
          progress,
          replay,
          clock: systemClock,
          logger,
          metrics: noopMetrics(),
          pollMs: 50,
        }).run(signal),
    });
    runners.push(runner);
    runner.start();
    return runner;
  };
  const kill = async (count: number, fields: Parameters<typeof deadLetter>[0] = {}): Promise<Message[]> => {
    const made = Array.from({ length: count }, () => deadLetter(fields));
    await produceRaw(
      topic,
      made.map((m) => m.record),
    );
    const wanted = made.map((m) => m.message.id);
    await until(async () => (await indexed(wanted)).length === count, { describe: 'the index shows them' });
    return made.map((m) => m.message);
  };
  const indexed = async (messageIds: string[]): Promise<DeadLetter[]> => {
    const rows = await postgres.query<{ id: string }>(
      'SELECT id FROM dead_letters WHERE message_id = ANY($1)',
      [messageIds],
    );
    return (await Promise.all(rows.map((r) => letters.byId(r.id)))).filter((d) => d !== undefined);
  };
  const start = async (selector: RedriveSelector, ratePerSecond = 500): Promise<RedriveJob> => {
    const made = await jobs.create({
      ...{ id: randomUUID(), requestedBy: 'ops', idempotencyKey: randomUUID(), requestDigest: 'd', selector },
      ...{ ratePerSecond, reason: 'test', maxItems: 1_000 },
    });
    if (made.kind !== 'created') throw new Error(made.kind);
    return made.job;
  };
  const ended = (id: string) =>
    until(async () => ((job) => job?.finishedAt !== undefined && job)(await jobs.byId(id)), {
      ...{ describe: 'the job ends', deadlineMs: 60_000 },
    });
  const onLane = async (ids: readonly string[]) =>
    (await readAll(laneTopic(lane))).filter((r) => ids.includes(r.headers['x-cs-id'] ?? ''));

  it('indexes a dead letter, whatever its headers', async () => {
    const [message] = await kill(1);
    const [letter] = await indexed([message?.id as string]);
    expect(letter).toMatchObject({
      state: 'dead',
      topic,
      brand: lane.brand,
      code: 'refused',
      traceId: 'a'.repeat(32),
    });
    await produceRaw(topic, [
      { key: 'x', value: 'garbage', headers: { '__dlq.errors.topic': '' } },
      { value: null },
    ]);
    const unreadable = await until(
      async () => {
        const page = await letters.search({ state: 'unreadable' });
        return page.kind === 'page' && page.deadLetters.length === 2 && page.deadLetters;
      },
      { describe: 'both are listed' },
    );
    expect(unreadable.map((d) => d.fault).every(Boolean)).toBe(true);
  }, 30_000);

  it('replays what a filter selected, each once, and leaves expired ones', async () => {
    const live = await kill(30, { code: 'batch' });
    const late = await kill(5, { code: 'batch', expiresAt: Date.now() - 1 });
    const job = await start({ filter: { code: 'batch', brand: lane.brand } });
    await kill(1, { code: 'batch' });
    startRunner();
    const { counters } = await ended(job.id);
    expect(counters).toMatchObject({
      selected: 35,
      produced: 30,
      pending: 0,
      skipped: { expired: 5, gone: 0 },
    });
    const replayed = await onLane([...live, ...late].map((m) => m.id));
    expect(replayed.map((r) => r.headers['x-cs-id']).toSorted()).toEqual(live.map((m) => m.id).toSorted());
    expect(new Set(replayed.map((r) => r.headers['x-cs-redrive']))).toEqual(new Set([`1:${job.id}`]));
    const events = (await readAll('commservice.events.priority2')).map(
      (r) => JSON.parse(String(r.value)) as Message & { generation: number; status: string },
    );
    const ours = events.filter((e) => e.brand === lane.brand && live.some((m) => m.id === e.id));
    expect(ours).toHaveLength(30);
    expect(ours.every((e) => e.status === 'queued' && e.generation === 1)).toBe(true);
    expect((await letters.search({ code: 'batch', state: 'dead' })) as object).toMatchObject({
      deadLetters: { length: 1 },
    });
  }, 60_000);

  it('produces nothing twice when the same letters are ordered by two jobs and run by two pods', async () => {
    const dead = await kill(10, { code: 'twice' });
    const ids = (await indexed(dead.map((m) => m.id))).map((d) => d.id);
    const [first, second] = [await start({ ids }), await start({ ids })];
    startRunner();
    startRunner();
    expect((await ended(first.id)).counters.produced).toBe(10);
    expect((await ended(second.id)).counters).toMatchObject({
      produced: 0,
      skipped: { already_redriven: 10 },
    });
    expect(await onLane(dead.map((m) => m.id))).toHaveLength(10);
  }, 60_000);

  it('goes on where it was when a pod ends in the middle, and produces the whole set', async () => {
    const dead = await kill(40, { code: 'resume' });
    const job = await start({ filter: { code: 'resume' } }, 60);
    const runner = startRunner();
    await until(async () => ((await jobs.byId(job.id))?.counters.produced ?? 0) > 5, {
      describe: 'some are produced',
    });
    await runner.stop();
    expect((await jobs.byId(job.id))?.state).toBe('running');
    startRunner();
    expect((await ended(job.id)).counters).toMatchObject({ produced: 40, pending: 0 });
    expect(new Set((await onLane(dead.map((m) => m.id))).map((r) => r.headers['x-cs-id'])).size).toBe(40);
  }, 60_000);

  it('stops within a second of being cancelled and frees the rest', async () => {
    const dead = await kill(60, { code: 'cancel' });
    const job = await start({ filter: { code: 'cancel' } }, 20);
    startRunner();
    await until(async () => ((await jobs.byId(job.id))?.counters.produced ?? 0) > 3, {
      describe: 'some are produced',
    });
    await jobs.cancel(job.id, 'ops');
    const at = Date.now();
    const end = await ended(job.id);
    expect(end.state).toBe('cancelled');
    const replayed = await onLane(dead.map((m) => m.id));
    expect(Math.max(...replayed.map((r) => r.timestamp)) - at).toBeLessThan(1_000);
    expect(replayed.length).toBe(end.counters.produced);
    const free = await letters.search({ code: 'cancel', state: 'dead' }, { limit: 200 });
    expect(free.kind === 'page' && free.deadLetters.length).toBe(60 - end.counters.produced);
  }, 60_000);
});
