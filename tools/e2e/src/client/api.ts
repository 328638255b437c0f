import type { Channel, MessageStatusResponse, Priority } from '@commservice/contracts';
import { messageBody, type MessageBody } from './messages.js';

const KEY = 'live_demo_key_for_development_only';
const REQUEST_MS = 30_000;
const BATCH = 1_000;
const AT_ONCE = 20;

export interface Reply<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

interface BatchBody {
  readonly results: readonly { readonly index: number; readonly status: number; readonly id?: string }[];
}

/** The platform's public API as a product team uses it, for the messages of one journey. */
export class Api {
  private next = 0;

  /**
   * @param base URL of ingest-api
   * @param reference carried by every message of the journey
   * @param key of the team. Default: the demo team's
   */
  constructor(
    private readonly base: string,
    readonly reference: string,
    private readonly key = KEY,
  ) {}

  /** The same API as another team uses it; its recipients are those of this one. */
  as(key: string): Api {
    return new Api(this.base, this.reference, key);
  }

  /** One request with the team's key. Rejects when there is no answer. */
  async call<T>(method: string, path: string, body?: unknown): Promise<Reply<T>> {
    const response = await fetch(`${this.base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  }

  /** The next message of a channel and class; recipients never repeat within a journey. */
  message(channel: Channel, priority: Priority): MessageBody {
    return messageBody(this.reference, channel, priority, this.next++);
  }

  /** Posts one message, whatever the answer. */
  post(body: MessageBody): Promise<Reply<{ id?: string; detail?: string }>> {
    return this.call('POST', '/v1/messages', body);
  }

  /** Sends one message; rejects when it is not accepted. */
  async send(channel: Channel, priority: Priority, more: Partial<MessageBody> = {}): Promise<string> {
    const { status, body } = await this.post({ ...this.message(channel, priority), ...more });
    if (status !== 202 || !body.id)
      throw new Error(`a ${priority} for ${channel} was answered ${status}: ${JSON.stringify(body)}`);
    return body.id;
  }

  /** Sends many, some at once; their ids. P3 goes in batches. */
  async sendMany(channel: Channel, priority: Priority, count: number): Promise<string[]> {
    if (priority === 'P3') return this.sendBatches(channel, count);
    const ids: string[] = [];
    while (ids.length < count) {
      const some = Math.min(AT_ONCE, count - ids.length);
      ids.push(...(await Promise.all(Array.from({ length: some }, () => this.send(channel, priority)))));
    }
    return ids;
  }

  private async sendBatches(channel: Channel, count: number): Promise<string[]> {
    const ids: string[] = [];
    while (ids.length < count) ids.push(...(await this.batch(channel, Math.min(BATCH, count - ids.length))));
    return ids;
  }

  /** Sends `size` (≤ 1 000) P3 in one request; rejects when it is not accepted as a whole. */
  async batch(channel: Channel, size: number, more: Partial<MessageBody> = {}): Promise<string[]> {
    const messages = Array.from({ length: size }, () => ({ ...this.message(channel, 'P3'), ...more }));
    const { status, body } = await this.call<BatchBody>('POST', '/v1/messages/batch', { messages });
    if (status !== 202) throw new Error(`a batch for ${channel} was answered ${status}`);
    return body.results.map((r) => r.id as string);
  }

  /** One message as its team sees it. */
  async status(id: string): Promise<MessageStatusResponse> {
    return (await this.call<MessageStatusResponse>('GET', `/v1/messages/${id}`)).body;
  }

  /** All messages of the journey that the read model knows. */
  async all(): Promise<MessageStatusResponse[]> {
    const found: MessageStatusResponse[] = [];
    for (let cursor = ''; ;) {
      const query = `reference=${this.reference}&limit=200${cursor && `&cursor=${cursor}`}`;
      const page = await this.call<{ messages: MessageStatusResponse[]; nextCursor?: string }>(
        'GET',
        `/v1/messages?${query}`,
      );
      if (page.status !== 200) throw new Error(`the search was answered ${page.status}`);
      found.push(...page.body.messages);
      if (page.body.nextCursor === undefined) return found;
      cursor = encodeURIComponent(page.body.nextCursor);
    }
  }
}
