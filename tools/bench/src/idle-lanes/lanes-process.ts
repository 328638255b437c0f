import { randomBytes } from 'node:crypto';
import { CatalogueFile } from '@commservice/accept';
import { systemClock, type Channel } from '@commservice/contracts';
import { openDispatcher, type Dispatcher } from '@commservice/dispatch';
import { HttpProvider } from '@commservice/provider-http';
import { noopMetrics, silentLogger } from '@commservice/telemetry';
import { DEVELOPMENT_CATALOGUE, DEVELOPMENT_MASTER_KEY } from '@commservice/tools-stack';

/**
 * The measured process: push (six lanes: two brands), sms and email (three each) with their retry lanes, as real dispatchers
 * with their own consumers, queues, coordinator and provider connections. Only the content is never rendered, for nothing
 * is sent. Started by `idleLanesBench` with the addresses of
 * Kafka, Redis, PostgreSQL and the provider; prints `ready`; ends with its input.
 */
const CHANNELS = ['push', 'sms', 'email'] as const satisfies readonly Channel[];

interface Servers {
  readonly kafka: string;
  readonly redis: string;
  readonly postgres: string;
  readonly provider: string;
}

function serversOf([kafka = '', redis = '', postgres = '', provider = '']: readonly string[]): Servers {
  return { kafka, redis, postgres, provider };
}

async function open(channel: Channel, servers: Servers): Promise<Dispatcher> {
  const catalogue = await new CatalogueFile({
    path: DEVELOPMENT_CATALOGUE,
    production: false,
    logger: silentLogger,
  }).load();
  const pod = `idle-${channel}`;
  const dispatcher = await openDispatcher({
    channel,
    pod,
    build: 'bench',
    kafka: { brokers: [servers.kafka], clientId: pod },
    redis: { url: servers.redis, keyPrefix: `idle-${randomBytes(3).toString('hex')}:` },
    databaseUrl: servers.postgres,
    masterKey: Buffer.from(DEVELOPMENT_MASTER_KEY, 'base64'),
    catalogue,
    lanes: [],
    receiptBaseUrl: 'http://127.0.0.1:9',
    initGroup: true,
    provider: (wanted) =>
      new HttpProvider(
        { channel, codes: {}, render: () => ({ kind: 'unfit', code: 'idle' }) },
        { ...wanted, baseUrl: servers.provider },
      ),
    clock: systemClock,
    logger: silentLogger,
    metrics: noopMetrics(),
  });
  await Promise.all(
    dispatcher.lanes.map((lane) => lane.start((slice) => lane.sender.handle(slice as never))),
  );
  return dispatcher;
}

async function main(): Promise<void> {
  const servers = serversOf(process.argv.slice(2));
  const dispatchers = await Promise.all(CHANNELS.map((channel) => open(channel, servers)));
  const look = setInterval(() => {
    if (dispatchers.some((d) => d.notReady().length > 0)) return;
    clearInterval(look);
    console.log(`ready ${dispatchers.reduce((sum, d) => sum + d.lanes.length, 0)}`);
  }, 100);
  process.stdin.resume().once('end', () => process.exit(0));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
