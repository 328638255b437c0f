import { createHash } from 'node:crypto';
import type { Catalogue } from '@commservice/contracts';
import type { CreateResult, DeadLetter, RedriveJob } from '@commservice/postgres';
import { Readiness, createHttpApp, silentLogger } from '@commservice/telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { serveDocsAssets } from '../src/docs/docs.controller.js';
import { installHttp } from '../src/http/operator.js';
import { JobDesk } from '../src/redrive-jobs/job-desk.js';
import { RedriveModule } from '../src/redrive.module.js';

const keyOf = (id: string, kind: string) => ({
  ...{
    id,
    team: 'demo',
    kind,
    developmentOnly: true,
    sha256: createHash('sha256').update(`${id}-key`).digest('hex'),
  },
});
const catalogue = { current: { keys: [keyOf('ops', 'ops'), keyOf('live', 'live')] } as unknown as Catalogue };
export const ID = 'a'.repeat(32);
export const letter: DeadLetter = {
  ...{
    id: ID,
    topic: 'dlq.commservice.sms.messages.priority2',
    partition: 1,
    recordOffset: 7,
    state: 'dead',
  },
  ...{
    laneTopic: 'commservice.sms.messages.priority2',
    channel: 'sms',
    brand: 'alfa',
    priority: 'P2',
    generation: 0,
  },
  ...{
    originalTopic: 'commservice.sms.messages.priority2',
    originalPartition: 1,
    originalOffset: 3,
    originalGroup: 'g',
  },
  ...{ deliveryCount: 1, code: 'refused', failedAt: 1_790_000_000_000, expiresAt: 1, valueBytes: 9 },
};
export const job: RedriveJob = {
  ...{
    id: '0b9f8a52-3e7c-4a57-9a34-0f8f6a1f0001',
    requestedBy: 'ops',
    reason: 'INC-1',
    selector: { ids: [ID] },
  },
  ...{ ratePerSecond: 50, state: 'running', createdAt: 1_790_000_000_000 },
  counters: {
    selected: 4,
    produced: 2,
    pending: 1,
    skipped: { expired: 1, gone: 0, already_redriven: 0, unreadable: 0 },
  },
};

/** The API over stand-ins for its stores. */
export class ApiHarness {
  /** What the store answers to the next order. */
  answer: CreateResult | Error = { kind: 'created', job };
  /** What the stores were asked. */
  asked: unknown[] = [];
  /** How often the runner was woken. */
  woken = 0;

  private constructor(readonly app: NestFastifyApplication) {}

  static async start(): Promise<ApiHarness> {
    const late: { harness?: ApiHarness } = {};
    const harness = (): ApiHarness => late.harness as ApiHarness;
    const module = moduleOver(harness);
    const metricsText = (): Promise<string> => Promise.resolve('');
    const app = await createHttpApp(module, {
      logger: silentLogger,
      readiness: new Readiness(),
      metricsText,
    });
    installHttp(app, { catalogue, logger: silentLogger });
    serveDocsAssets(app);
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    return (late.harness = new ApiHarness(app));
  }

  reset(): void {
    this.answer = { kind: 'created', job };
    this.asked = [];
    this.woken = 0;
  }

  async call(
    method: 'GET' | 'POST',
    url: string,
    options: { body?: unknown; key?: string; headers?: object } = {},
  ) {
    const authorization = options.key === '' ? {} : { authorization: `Bearer ${options.key ?? 'ops-key'}` };
    const reply = await this.app.inject({
      ...{ method, url, headers: { ...authorization, ...options.headers } },
      ...(options.body === undefined ? {} : { payload: options.body as object }),
    });
    return { status: reply.statusCode, headers: reply.headers, body: reply.json<Record<string, unknown>>() };
  }

  /** `POST /v1/redrive-jobs` */
  order(body: unknown, headers: object = { 'idempotency-key': '"k1"' }) {
    return this.call('POST', '/v1/redrive-jobs', { body, headers });
  }
}

function moduleOver(harness: () => ApiHarness) {
  const store = {
    create: (request: unknown) => {
      const { asked, answer } = harness();
      asked.push(request);
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    cancel: (id: string) => {
      if (id === job.id) return Promise.resolve({ kind: 'cancelling' as const, job });
      return Promise.resolve(
        id === 'done' ? { kind: 'finished' as const, job } : { kind: 'unknown' as const },
      );
    },
    byId: (id: string) => Promise.resolve(id === job.id ? job : undefined),
    list: () => Promise.resolve([job]),
  };
  const letters = {
    byId: (id: string) => Promise.resolve(id === ID ? letter : undefined),
    search: (filter: unknown, page: { cursor?: string }) => {
      harness().asked.push({ filter, page });
      const found = { kind: 'page' as const, deadLetters: [letter], nextCursor: 'n' };
      return Promise.resolve(page.cursor ? { kind: 'invalid-cursor' as const } : found);
    },
  };
  const desk = new JobDesk({ store, maxItems: 10, onCreated: () => harness().woken++ });
  return RedriveModule.of({ letters: letters as never, jobs: store as never, desk });
}

/** Pointers and codes of a problem's faults. */
export const codes = (body: Record<string, unknown>): unknown[] =>
  (body['errors'] as { pointer: string; code: string }[]).map((e) => [e.pointer, e.code]);
