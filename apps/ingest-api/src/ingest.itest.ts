import { decodeMessage, decodeEvent, eventsTopic, type Channel } from '@commservice/contracts';
import { TopicAdmin } from '@commservice/kafka';
import {
  freshDatabase,
  logSink,
  readAll,
  testServers,
  until,
  type FreshDatabase,
  type StoredRecord,
} from '@commservice/testkit';
import { RunningIngest } from '../test/running-ingest.js';

const log = logSink('info');
let database: FreshDatabase;
let ingest: RunningIngest;
let admin: TopicAdmin;

beforeAll(async () => {
  const servers = await testServers();
  database = await freshDatabase('ingest');
  admin = new TopicAdmin({
    kafka: { brokers: servers.kafka.brokers, clientId: 'ingest-itest' },
    logger: log.logger,
  });
  await admin.connect(10_000);
  ingest = await RunningIngest.start(
    { brokers: servers.kafka.brokers[0] as string, redisUrl: servers.redis.url, databaseUrl: database.url },
    log.logger,
  );
});
afterAll(async () => {
  expect(await ingest.stop()).toBe(0);
  await admin.close();
  await database.drop();
});

const TO: Record<Channel, (n: number) => object> = {
  sms: (n) => ({
    to: { phone: `+4477009${String(n).padStart(5, '0')}` },
    content: { text: `Planted text ${n}` },
  }),
  push: (n) => ({
    to: { platform: 'fcm', token: `tok${String(n).padStart(40, '0')}` },
    content: { title: 'Planted', body: `text ${n}` },
  }),
  email: (n) => ({
    to: { email: `user${n}@planted.test` },
    content: { subject: 'Planted', text: `text ${n}` },
  }),
  messenger: (n) => ({
    to: { service: 'telegram', id: String(100_000 + n) },
    content: { text: `Planted text ${n}` },
  }),
};
const CHANNELS: readonly Channel[] = ['sms', 'push', 'email', 'messenger'];
const message = (channel: Channel, category: string, n: number, more: object = {}): object => ({
  channel,
  brand: ingest.brand,
  category,
  ...TO[channel](n),
  ...more,
});

/** How many records this run's lanes hold. */
async function storedCount(): Promise<number> {
  const ends = await Promise.all(ingest.topics.map((topic) => admin.ends(topic)));
  return ends.flat().reduce((sum, { low, high }) => sum + high - low, 0);
}

async function stored(): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for (const topic of ingest.topics) records.push(...(await readAll(topic)));
  return records;
}
const idsOf = (records: readonly StoredRecord[]): (string | undefined)[] =>
  records.map((r) => r.headers['x-cs-id']);

it('puts nothing on any topic for a bad request', async () => {
  const good = message('sms', 'otp', 1);
  const bad = [
    [{ ...good, nope: 1 }, 422],
    [{ ...good, to: { phone: '+4477' } }, 422],
    [{ ...good, category: 'vip' }, 422],
    [{ ...good, brand: 'nobody' }, 422],
    [{ ...good, channel: 'pigeon' }, 422],
    [{ ...good, content: { text: '' } }, 422],
    ['{"channel":', 400],
    ['"x"'.repeat(200_000), 413],
  ] as const;
  for (const [body, status] of bad)
    expect((await ingest.call('POST', '/v1/messages', body)).status).toBe(status);
  expect(
    (await ingest.call('POST', '/v1/messages', good, { authorization: 'Bearer live_wrong' })).status,
  ).toBe(401);
  expect((await ingest.call('POST', '/v1/messages', 'a=b', { 'content-type': 'text/plain' })).status).toBe(
    415,
  );
  expect((await ingest.call('POST', '/v1/messages/batch', { messages: [good] })).status).toBe(422);
  expect(await storedCount()).toBe(0);
});

it('puts every accepted id on its topic, sealed, and its event after it', async () => {
  const singles = CHANNELS.flatMap((channel) =>
    ['otp', 'order'].flatMap((category) =>
      Array.from({ length: 6 }, (_, n) => message(channel, category, n)),
    ),
  );
  const replies = await Promise.all(singles.map((body) => ingest.call('POST', '/v1/messages', body)));
  expect(new Set(replies.map((r) => r.status))).toEqual(new Set([202]));
  const batch = Array.from({ length: 300 }, (_, n) => message(CHANNELS[n % 4] as Channel, 'promo', n));
  const bulk = await ingest.call('POST', '/v1/messages/batch', { messages: batch });
  expect(bulk.status).toBe(202);
  const accepted = [...replies.map((r) => r.json.id), ...bulk.json.results.map((r) => r.id)];

  const records = await stored();
  expect(new Set(idsOf(records))).toEqual(new Set(accepted));
  expect(records).toHaveLength(accepted.length);
  for (const record of records)
    expect(decodeMessage(record.value, record.headers['x-cs-schema']).kind).toBe('message');
  const shown = records.map((r) => `${r.key} ${String(r.value)} ${JSON.stringify(r.headers)}`).join('\n');
  expect(shown).not.toMatch(/7700900|Planted|planted/);

  const seen = new Set<string>();
  await until(
    async () => {
      for (const priority of ['P1', 'P2', 'P3'] as const) {
        for (const r of await readAll(eventsTopic(priority))) {
          const event = decodeEvent(r.value);
          if (event?.status === 'accepted' && event.brand === ingest.brand) seen.add(event.id);
        }
      }
      return accepted.every((id) => id !== undefined && seen.has(id));
    },
    { deadlineMs: 20_000, describe: () => `${seen.size} of ${accepted.length} events` },
  );
});

it('answers 200 to a GET right after the 202, and 404 for an id it never made', async () => {
  const { json } = await ingest.call('POST', '/v1/messages', message('sms', 'otp', 99));
  const reply = await ingest.call('GET', json.links.self);
  expect([reply.status, reply.json.status]).toEqual([200, 'accepted']);
  expect((await ingest.call('GET', '/v1/messages/00000000-0000-7000-8000-000000000000')).status).toBe(404);
  expect((await ingest.call('GET', '/v1/messages?reference=none')).json.messages).toEqual([]);
});

it('sends once for 20 requests at once with one Idempotency-Key', async () => {
  const before = await storedCount();
  const body = message('email', 'order', 500);
  const replies = await Promise.all(
    Array.from({ length: 20 }, () =>
      ingest.call('POST', '/v1/messages', body, { 'idempotency-key': 'k-20' }),
    ),
  );
  expect(replies.every((r) => r.status === 202 || r.status === 409)).toBe(true);
  const again = await ingest.call('POST', '/v1/messages', body, { 'idempotency-key': 'k-20' });
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([202, 'true']);
  expect(new Set(replies.filter((r) => r.status === 202).map((r) => r.json.id))).toEqual(
    new Set([again.json.id]),
  );
  expect(await storedCount()).toBe(before + 1);
  const other = await ingest.call('POST', '/v1/messages', message('email', 'order', 501), {
    'idempotency-key': 'k-20',
  });
  expect(other.status).toBe(422);
});

it('sends once for 100 copies of an item in one batch, and again nothing in the next', async () => {
  const before = await storedCount();
  const messages = Array.from({ length: 100 }, () => message('push', 'promo', 7, { idempotencyKey: 'i-7' }));
  const first = await ingest.call('POST', '/v1/messages/batch', { messages });
  const second = await ingest.call('POST', '/v1/messages/batch', { messages: messages.slice(0, 2) });
  expect([first.status, second.status]).toEqual([202, 202]);
  expect(new Set([...first.json.results, ...second.json.results].map((r) => r.id)).size).toBe(1);
  expect(await storedCount()).toBe(before + 1);
});

it('has written no address or text to its log', () => {
  expect(log.text()).not.toMatch(/7700900|Planted|planted|live_demo/);
  expect(log.at('error')).toEqual([]);
});
