import { setTimeout as delay } from 'node:timers/promises';
import { CHANNELS, type Channel } from '@commservice/contracts';
import { Pool } from 'undici';
import { API_KEY, messageBody } from '../message-body.js';

export interface LoadOptions {
  readonly api: string;
  readonly clients: number;
  readonly seconds: number;
  /** Carried by every message of the run. */
  readonly reference: string;
}

/** What the clients saw. */
export interface LoadResult {
  /** Ids answered 202. */
  readonly accepted: Set<string>;
  /** Answers by status; 0 = no answer. */
  readonly statuses: Map<number, number>;
  /** 503 answers that said that the acknowledgement was lost. */
  readonly ackLost: number;
  /** 503 answers without a Retry-After of at least a second. */
  readonly withoutRetryAfter: number;
  /** Duration of every 202, ms. */
  readonly durationsMs: readonly number[];
  /** First 202 after `since` (monotonic ms). */
  firstAcceptedAfter(since: number): number | undefined;
}

const REQUEST_MS = 30_000;
const MAX_PAUSE_MS = 2_000;

/**
 * So many clients, each with one connection and one request at a time, for so many seconds. A client that is told to come
 * back later does so. Caller: the ingest bench.
 */
export class Load implements LoadResult {
  readonly accepted = new Set<string>();
  readonly statuses = new Map<number, number>();
  readonly durationsMs: number[] = [];
  ackLost = 0;
  withoutRetryAfter = 0;
  private readonly acceptedAt: number[] = [];
  private next = 0;
  private readonly pool: Pool;

  constructor(private readonly options: LoadOptions) {
    this.pool = new Pool(options.api, {
      connections: options.clients,
      pipelining: 1,
      headersTimeout: REQUEST_MS,
      bodyTimeout: REQUEST_MS,
    });
  }

  async run(): Promise<LoadResult> {
    const endAt = performance.now() + this.options.seconds * 1000;
    const client = async (): Promise<void> => {
      while (performance.now() < endAt) await this.ask();
    };
    await Promise.all(Array.from({ length: this.options.clients }, client));
    await this.pool.close();
    return this;
  }

  firstAcceptedAfter(since: number): number | undefined {
    return this.acceptedAt.find((at) => at > since);
  }

  private async ask(): Promise<void> {
    const n = this.next++;
    const body = messageBody(CHANNELS[n % CHANNELS.length] as Channel, 'P2', n, {
      reference: this.options.reference,
    });
    const from = performance.now();
    try {
      const response = await this.pool.request({
        method: 'POST',
        path: '/v1/messages',
        headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await response.body.text();
      const at = performance.now();
      this.count(response.statusCode);
      if (response.statusCode === 202) return this.took(text, at, at - from);
      if (response.statusCode === 503) await this.told(text, Number(response.headers['retry-after']));
    } catch {
      this.count(0);
      await delay(100);
    }
  }

  private took(text: string, at: number, durationMs: number): void {
    this.accepted.add((JSON.parse(text) as { id: string }).id);
    this.durationsMs.push(durationMs);
    this.acceptedAt.push(at);
  }

  private async told(text: string, retryAfterS: number): Promise<void> {
    if (/acknowledgement was lost/i.test(text)) this.ackLost++;
    if (!(retryAfterS >= 1)) this.withoutRetryAfter++;
    await delay(Math.min(MAX_PAUSE_MS, (retryAfterS || 0.1) * 1000));
  }

  private count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }
}
