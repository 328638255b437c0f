import { setTimeout as delay } from 'node:timers/promises';
import {
  freshDatabase,
  logSink,
  ownServers,
  readAll,
  testServers,
  until,
  type FreshDatabase,
  type OwnServers,
} from '@commservice/testkit';
import { RunningIngest } from '../test/running-ingest.js';

const log = logSink('info');
let kafka: OwnServers;
let database: FreshDatabase;
let ingest: RunningIngest;

beforeAll(async () => {
  const servers = await testServers();
  [kafka, database] = await Promise.all([ownServers(['kafka'], { kept: true }), freshDatabase('outage')]);
  const brokers = kafka.address('kafka');
  ingest = await RunningIngest.start(
    { brokers, redisUrl: servers.redis.url, databaseUrl: database.url },
    log.logger,
    { PRODUCE_DEADLINE_MS: '2000' },
  );
}, 120_000);
afterAll(async () => {
  await ingest.stop();
  await Promise.all([kafka.close(), database.drop()]);
});

const send = async (n: number) => {
  const body = {
    channel: 'sms',
    brand: ingest.brand,
    category: 'order',
    to: { phone: `+4477009${String(n).padStart(5, '0')}` },
    content: { text: 'x' },
  };
  return ingest.call('POST', '/v1/messages', body);
};

it('answers 503 with Retry-After while the broker is dead, recovers by itself, and keeps every 202', async () => {
  const statuses: number[] = [];
  const acknowledged = new Set<string>();
  let next = 0;
  let running = true;
  const clients = Array.from({ length: 8 }, async () => {
    while (running) {
      const reply = await send(next++);
      statuses.push(reply.status);
      if (reply.status === 202) acknowledged.add(reply.json.id);
      else {
        expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
        // a client that is told to come back does; eight that do not would take the processor from every other test
        await delay(20);
      }
    }
  });
  const count = (status: number): number => statuses.filter((s) => s === status).length;
  await until(() => count(202) >= 50, { describe: () => `${count(202)} accepted` });
  await kafka.kill('kafka');
  // many at once, each answered at once: nothing is kept waiting for the broker
  await until(() => count(503) >= 200, { deadlineMs: 30_000, describe: () => `${count(503)} refused` });
  expect((await fetch(`${ingest.url}/health/ready`)).status).toBe(503);
  await kafka.start('kafka');
  const before = count(202);
  await until(() => count(202) >= before + 50, {
    deadlineMs: 60_000,
    describe: () => `${count(202) - before} accepted again`,
  });
  running = false;
  await Promise.all(clients);

  const lane = ingest.topics.find((t) => t.includes('.sms.') && t.endsWith('priority2')) as string;
  const stored = new Set(
    (await readAll(lane, { brokers: [kafka.address('kafka')] })).map((r) => r.headers['x-cs-id']),
  );
  expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
  expect(log.at('error')).toEqual([]);
}, 180_000);
