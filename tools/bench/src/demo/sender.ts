import { setTimeout as delay } from 'node:timers/promises';
import type { Priority } from '@commservice/contracts';
import { API_KEY, messageBody } from '../message-body.js';
import { BenchFault } from '../fault.js';

const BATCH = 1_000;
const MAX_PAUSE_MS = 5_000;

/** When a message was accepted, epoch ms: its id is a UUIDv7. */
const acceptedAtOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** Told of each accepted message: its class, its id and when it was accepted, epoch ms. */
export type Accepted = (priority: Priority, id: string, atMs: number) => void;

interface BatchReply {
  readonly results: readonly { readonly id?: string }[];
}

/** Sends the demo's messages to sms; every answer but 202 is counted. */
export class Sender {
  refused = 0;
  private next = 0;

  constructor(
    private readonly api: string,
    private readonly accepted: Accepted,
    private readonly ttl: string,
  ) {}

  /** So many of a class a second until the signal; spacing random, as independent callers are. */
  async steady(priority: Priority, perSecond: number, signal: AbortSignal): Promise<void> {
    const open = new Set<Promise<void>>();
    while (!signal.aborted) {
      const asked = this.one(priority).finally(() => open.delete(asked));
      open.add(asked);
      const waitMs = (-Math.log(1 - Math.random()) / perSecond) * 1000;
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
    }
    await Promise.all(open);
  }

  /** Queues promos in batches until `count` were accepted or the signal comes. */
  async flood(count: number, signal: AbortSignal): Promise<void> {
    for (let done = 0; done < count && !signal.aborted;) {
      const size = Math.min(BATCH, count - done);
      const messages = Array.from({ length: size }, () =>
        messageBody('sms', 'P3', this.next++, { ttl: this.ttl }),
      );
      const response = await this.post('/v1/messages/batch', { messages });
      if (response.status === 202 || response.status === 207) {
        const { results } = (await response.json()) as BatchReply;
        const ids = results.flatMap((r) => r.id ?? []);
        for (const id of ids) this.accepted('P3', id, acceptedAtOf(id));
        done += size;
        continue;
      }
      if (response.status !== 429 && response.status !== 503)
        throw new BenchFault(`A batch was answered ${response.status}.`);
      await delay(Math.min(MAX_PAUSE_MS, 1000 * Number(response.headers.get('retry-after') ?? 1)));
    }
  }

  private async one(priority: Priority): Promise<void> {
    const response = await this.post('/v1/messages', messageBody('sms', priority, this.next++)).catch(
      () => undefined,
    );
    if (response?.status !== 202) return void this.refused++;
    const { id } = (await response.json()) as { id: string };
    this.accepted(priority, id, acceptedAtOf(id));
  }

  private post(path: string, body: object): Promise<Response> {
    return fetch(`${this.api}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
  }
}
