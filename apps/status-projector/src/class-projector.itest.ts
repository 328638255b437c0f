import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import {
  createTopics,
  freshDatabase,
  produceRaw,
  testServers,
  uniqueName,
  until,
} from '@commservice/testkit';
import type { MessageEvent } from '@commservice/contracts';
import { TopicAdmin } from '@commservice/kafka';
import { MessageStore, Postgres, migrate } from '@commservice/postgres';
import { noopMetrics, silentLogger } from '@commservice/telemetry';
import { ClassProjector } from './class-projector.js';

/** A connection to PostgreSQL that a test can cut. */
class Cable {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private port = 0;

  constructor(private readonly to: { host: string; port: number }) {}

  async plug(): Promise<number> {
    const server = createServer((near) => {
      const far = connect(this.to);
      for (const socket of [near, far]) {
        this.sockets.add(socket);
        socket.on('error', () => undefined).on('close', () => near.destroy() && far.destroy());
      }
      near.pipe(far).pipe(near);
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.server = server;
    this.port = (server.address() as AddressInfo).port;
    return this.port;
  }

  cut(): void {
    this.server?.close();
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
  }
}

let n = 0;
const newId = (): string => `019a0000-0000-7000-8000-${(++n).toString(16).padStart(12, '0')}`;
const event = (id: string, fields: Partial<MessageEvent> = {}): MessageEvent => ({
  ...{
    v: 1,
    id,
    status: 'accepted',
    at: 1_790_000_000_000,
    generation: 0,
    priority: 'P1',
    team: 'demo',
    channel: 'sms',
  },
  ...{
    brand: 'alfa',
    category: 'otp',
    kind: 'message',
    units: 1,
    acceptedAt: 1,
    expiresAt: 9_990_000_000_000,
  },
  ...fields,
});
const raw = (e: MessageEvent) => ({ key: e.id, value: JSON.stringify(e) });

describe('a class of events on real Kafka and PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let cable: Cable;
  let postgres: Postgres;
  let reader: MessageStore;
  let direct: Postgres;
  let projector: ClassProjector;
  let brokers: readonly string[];
  const topic = uniqueName('events');
  const group = uniqueName('projector');

  const newProjector = (): ClassProjector =>
    new ClassProjector({
      ...{ priority: 'P1', topic, group, batchEvents: 50, bufferEvents: 100 },
      ...{ kafka: { brokers, clientId: 'projector' }, store: new MessageStore(postgres) },
      ...{ logger: silentLogger, metrics: noopMetrics() },
    });
  const statusOf = async (id: string): Promise<string | undefined> => (await reader.byId('demo', id))?.status;

  beforeAll(async () => {
    brokers = (await testServers()).kafka.brokers;
    database = await freshDatabase();
    await createTopics([{ name: topic, partitions: 2 }]);
    await migrate({ connectionString: database.url, logger: silentLogger });
    const url = new URL(database.url);
    cable = new Cable({ host: url.hostname, port: Number(url.port) });
    url.hostname = '127.0.0.1';
    url.port = String(await cable.plug());
    const options = { max: 4, statementTimeoutMs: 5_000, logger: silentLogger };
    postgres = new Postgres({ ...options, connectionString: url.href });
    direct = new Postgres({ ...options, connectionString: database.url });
    reader = new MessageStore(direct);
    projector = newProjector();
    await projector.start();
    await until(() => projector.check().ok, { describe: 'the consumer joins', deadlineMs: 30_000 });
  }, 120_000);

  afterAll(async () => {
    await projector.stop(5_000);
    await Promise.all([postgres.close(2_000), direct.close(2_000)]);
    cable.cut();
    await database.drop();
  });

  it('brings events to PostgreSQL whatever their order, and passes over what is no event', async () => {
    const [a, b] = [newId(), newId()];
    await produceRaw(topic, [
      raw(event(a, { status: 'sent', account: 'sms-a' })),
      { key: 'x', value: 'not an event' },
      { key: 'x', value: null },
      raw(event(a)),
      raw(event(b)),
      raw({ v: 1, id: a, status: 'delivered', at: 1_790_000_000_009, generation: 0, priority: 'P1' }),
    ]);
    await until(async () => (await statusOf(a)) === 'delivered' && (await statusOf(b)) === 'accepted', {
      describe: 'both messages show',
    });
    expect(await reader.events('demo', a)).toHaveLength(3);
  });

  it('loses nothing while PostgreSQL is away for longer than the buffer lasts', async () => {
    const ids = Array.from({ length: 1_000 }, newId);
    cable.cut();
    await produceRaw(
      topic,
      ids.map((id) => raw(event(id, { reference: 'outage' }))),
    );
    expect(await statusOf(ids[0] as string)).toBeUndefined();
    await cable.plug();
    const stored = async (): Promise<number> =>
      (await direct.query<{ n: number }>(`SELECT count(*) AS n FROM messages WHERE reference = 'outage'`))[0]
        ?.n ?? 0;
    await until(async () => (await stored()) === ids.length, {
      describe: 'all events are stored',
      deadlineMs: 30_000,
    });
  }, 60_000);

  it('commits what it stored, so that its successor begins behind it', async () => {
    await projector.stop(5_000);
    const admin = new TopicAdmin({ kafka: { brokers, clientId: 'check' }, logger: silentLogger });
    await admin.connect(5_000);
    const ends = await admin.ends(topic);
    const committed = (await admin.committed(group, [topic])).get(topic);
    await admin.close();
    expect(ends.map((e) => committed?.get(e.partition))).toEqual(ends.map((e) => e.high));
    const id = newId();
    await produceRaw(topic, [raw(event(id))]);
    projector = newProjector();
    await projector.start();
    await until(() => statusOf(id), { describe: 'the successor stores the next event', deadlineMs: 30_000 });
  }, 60_000);
});
