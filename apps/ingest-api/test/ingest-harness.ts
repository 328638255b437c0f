import { createSecretKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Acceptor, P1Ceiling, readCatalogue } from '@commservice/accept';
import {
  MessageIds,
  systemClock,
  type BatchResult,
  type Catalogue,
  type DataKey,
  type FieldError,
} from '@commservice/contracts';
import type { OutgoingRecord } from '@commservice/kafka';
import { createHttpApp, noopMetrics, Readiness, silentLogger, type Logger } from '@commservice/telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { serveDocsAssets } from '../src/docs/assets.js';
import { installHttp } from '../src/http/install-http.js';
import { IngestModule } from '../src/ingest.module.js';
import { MessageReader } from '../src/messages/reader.js';
import { Submission } from '../src/messages/submission.js';
import { BatchTurns } from '../src/publish/batch-turns.js';
import { LanePublisher } from '../src/publish/lane-publisher.js';
import { MemoryIdempotencyStore, MemorySender, MemoryStore } from './memory-ports.js';

const LIVE_KEY = 'live_demo_key_for_development_only';

/** The development catalogue. */
export function developmentCatalogue(): Catalogue {
  const read = readCatalogue(
    readFileSync(join(__dirname, '../../../tools/stack/catalogue.yaml'), 'utf8'),
    false,
  );
  if (read.kind === 'faulty') throw new Error(read.faults.join('; '));
  return read.catalogue;
}

/** What an answer may carry; a test reads what it expects to be there. */
export interface AnswerJson {
  readonly id: string;
  readonly status: unknown;
  readonly detail: string;
  readonly acceptedAt: string;
  readonly links: { readonly self: string; readonly events: string };
  readonly errors: readonly FieldError[];
  readonly limitName: string;
  readonly results: readonly (BatchResult & {
    readonly problem: { readonly errors: readonly FieldError[] };
  })[];
  readonly messages: readonly { readonly id: string }[];
  readonly events: readonly unknown[];
}

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly json: AnswerJson;
}

/** The whole HTTP app over ports in memory. */
export class IngestHarness {
  readonly lanes = { P1: new MemorySender(), P2: new MemorySender(), P3: new MemorySender() };
  readonly events = new MemorySender();
  readonly idempotency = new MemoryIdempotencyStore();
  readonly store = new MemoryStore();
  readonly ids = new MessageIds(Buffer.alloc(32, 2));
  readonly catalogue: { current: Catalogue };
  keyLoaded = true;
  private app: NestFastifyApplication | undefined;

  constructor(
    private readonly options: { catalogue?: Catalogue; logger?: Logger; maxInFlight?: number } = {},
  ) {
    this.catalogue = { current: options.catalogue ?? developmentCatalogue() };
  }

  get records(): OutgoingRecord[] {
    return Object.values(this.lanes).flatMap((lane) => lane.records);
  }

  async start(): Promise<this> {
    const { catalogue, ids } = this;
    const logger = this.options.logger ?? silentLogger;
    const metrics = noopMetrics();
    const clock = systemClock;
    const dataKey: DataKey = { id: 'k1', brand: 'alfa', day: '2026-11-30', secret: Buffer.alloc(32, 1) };
    const acceptor = new Acceptor({
      clock,
      ids,
      keyRing: { current: () => (this.keyLoaded ? dataKey : undefined) },
      ceiling: new P1Ceiling({ clock }),
      hashKey: createSecretKey(Buffer.alloc(32, 3)),
    });
    const publisher = new LanePublisher({
      lanes: this.lanes,
      events: this.events,
      metrics,
      clock,
      maxInFlight: this.options.maxInFlight,
    });
    const turns = new BatchTurns();
    const submission = new Submission({
      ...{ acceptor, publisher, catalogue, metrics },
      turns,
      monotonic: () => clock.monotonic(),
      idempotency: this.idempotency,
    });
    const reader = new MessageReader({ store: this.store, ids, logger });
    const parts = { logger, readiness: new Readiness(), metricsText: () => Promise.resolve('') };
    this.app = await createHttpApp(IngestModule.of({ submission, reader }), parts, { bodyParser: false });
    installHttp(this.app, {
      turns,
      logger,
      metrics,
      catalogue,
      bodyBudgetBytes: { single: 2 << 20, batch: 16 << 20 },
    });
    serveDocsAssets(this.app);
    return this;
  }

  /** Listens on a free port; returns the base URL. */
  async listen(): Promise<string> {
    await this.nest.listen(0, '127.0.0.1');
    return this.nest.getUrl();
  }

  async ready(): Promise<this> {
    await this.nest.init();
    await this.nest.getHttpAdapter().getInstance().ready();
    return this;
  }

  async stop(): Promise<void> {
    await this.nest.close();
  }

  /** One request with the demo key; an object is sent as JSON, text as it is. */
  async call(
    method: 'GET' | 'POST',
    url: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const reply = await this.nest.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${LIVE_KEY}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      payload:
        body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    });
    let json: unknown;
    try {
      json = JSON.parse(reply.payload);
    } catch {
      json = undefined;
    }
    return {
      status: reply.statusCode,
      type: String(reply.headers['content-type']),
      headers: reply.headers,
      json: json as AnswerJson,
    };
  }

  private get nest(): NestFastifyApplication {
    if (!this.app) throw new Error('start the harness first');
    return this.app;
  }
}

/** A message of the demo team. */
export const sms = (more: object = {}): Record<string, unknown> => ({
  channel: 'sms',
  brand: 'alfa',
  category: 'otp',
  to: { phone: '+447700900123' },
  content: { text: 'Code 481516' },
  ...more,
});
