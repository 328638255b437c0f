import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { allTopics, type PerBrand } from '@commservice/contracts';
import { migrate } from '@commservice/postgres';
import { runService, type Logger } from '@commservice/telemetry';
import { createTopics, redisPrefix, uniqueName, until } from '@commservice/testkit';
import { ingestPlan } from '../src/ingest-service.js';
import type { AnswerJson } from './ingest-harness.js';

const EVERY_CLASS: PerBrand = {
  sms: ['P1', 'P2', 'P3'],
  push: ['P1', 'P2', 'P3'],
  email: ['P1', 'P2', 'P3'],
  messenger: ['P1', 'P2', 'P3'],
};

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** A catalogue whose topics no other test uses: a brand of its own, and a topic per brand everywhere. */
function catalogueFileFor(brand: string): string {
  const text = readFileSync(join(__dirname, '../../../tools/stack/catalogue.yaml'), 'utf8')
    .replace('brands: [alfa, beta]', `brands: [${brand}]`)
    .replace('demo: { brands: [alfa, beta]', `demo: { brands: [${brand}]`)
    .replace(/brand: alfa/g, `brand: ${brand}`)
    .replace(/, \{ brand: beta, account: push-beta \}/, '')
    .replace('    perBrand: [P1, P2, P3]\n', '')
    .replace(/^ {2}(sms|push|email|messenger):$/gm, '$&\n    perBrand: [P1, P2, P3]');
  const folder = mkdtempSync(join(tmpdir(), 'ingest-'));
  const path = join(folder, 'catalogue.yaml');
  writeFileSync(path, text);
  return path;
}

export interface IngestServers {
  readonly brokers: string;
  readonly redisUrl: string;
  readonly databaseUrl: string;
}

/** The real app, in this process, on real servers. */
export class RunningIngest {
  private constructor(
    readonly url: string,
    readonly brand: string,
    /** Lane topics of this run. */
    readonly topics: readonly string[],
    private readonly signals: Map<string, () => void>,
    private readonly exited: Promise<number>,
    private readonly folder: string,
  ) {}

  static async start(
    servers: IngestServers,
    logger: Logger,
    env: Record<string, string> = {},
  ): Promise<RunningIngest> {
    const brand = uniqueName('b');
    const topics = allTopics([brand], EVERY_CLASS, 'dev').filter((t) =>
      /^commservice\.(?!.*retry)/.test(t.name),
    );
    await createTopics(topics, [servers.brokers]);
    await migrate({ connectionString: servers.databaseUrl, logger });
    const port = await freePort();
    const catalogueFile = catalogueFileFor(brand);
    const signals = new Map<string, () => void>();
    const given = {
      PORT: String(port),
      KAFKA_BROKERS: servers.brokers,
      REDIS_URL: servers.redisUrl,
      REDIS_PREFIX: redisPrefix('ingest'),
      DATABASE_URL: servers.databaseUrl,
      CATALOGUE_FILE: catalogueFile,
      MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      HEARTBEAT_INTERVAL_MS: '0',
      ...env,
    };
    let exit: (code: number) => void = () => undefined;
    const exited = new Promise<number>((resolve) => (exit = resolve));
    const host = {
      on: (event: string, listener: () => void) => signals.set(event, listener),
      exit,
      stderr: { write: (text: string) => logger.error({}, text) },
    };
    await runService({ service: 'ingest-api', configure: () => ingestPlan(given), process: host, logger });
    const url = `http://127.0.0.1:${port}`;
    await until(async () => (await fetch(`${url}/health/ready`)).ok, {
      deadlineMs: 30_000,
      describe: 'ingest-api is ready',
    });
    const lanes = topics.map((t) => t.name).filter((name) => name.includes('.messages.'));
    return new RunningIngest(url, brand, lanes, signals, exited, dirname(catalogueFile));
  }

  async call(method: 'GET' | 'POST', path: string, body?: unknown, headers: Record<string, string> = {}) {
    const reply = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        authorization: 'Bearer live_demo_key_for_development_only',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, json: JSON.parse(text) as AnswerJson };
  }

  /** Sends SIGTERM and waits for the exit code. */
  async stop(): Promise<number> {
    this.signals.get('SIGTERM')?.();
    const code = await this.exited;
    rmSync(this.folder, { recursive: true });
    return code;
  }
}
