import { setTimeout as delay } from 'node:timers/promises';
import type { Channel, Priority } from '@commservice/contracts';
import type { Api } from '../client/api.js';

/** What became of the requests of a flow. */
export interface FlowResult {
  /** Ids answered 202. */
  readonly ids: string[];
  /** Every other answer. */
  readonly refusals: {
    readonly status: number;
    readonly retryAfter: string | null;
    readonly detail: string;
  }[];
}

/** Requests that go on until they are stopped: so many a second, answers not awaited, none repeated. */
export class Flow implements FlowResult {
  readonly ids: string[] = [];
  readonly refusals: FlowResult['refusals'] = [];
  private readonly open = new Set<Promise<void>>();
  private readonly ending = new AbortController();
  private readonly loop: Promise<void>;

  constructor(
    private readonly api: Api,
    private readonly kinds: readonly { readonly channel: Channel; readonly priority: Priority }[],
    private readonly perSecond: number,
  ) {
    this.loop = this.run();
  }

  /** Stops asking and waits for the last answers. */
  async stop(): Promise<FlowResult> {
    this.ending.abort();
    await this.loop;
    await Promise.all(this.open);
    return this;
  }

  /** Answers of this status so far. */
  answered(status: number): number {
    return status === 202 ? this.ids.length : this.refusals.filter((r) => r.status === status).length;
  }

  private async run(): Promise<void> {
    for (let n = 0; !this.ending.signal.aborted; n++) {
      const kind = this.kinds[n % this.kinds.length] as Flow['kinds'][number];
      const asked = this.ask(kind).finally(() => this.open.delete(asked));
      this.open.add(asked);
      // the pace of a load, not a wait for an outcome
      await delay(1000 / this.perSecond, undefined, { signal: this.ending.signal }).catch(() => undefined);
    }
  }

  private async ask({ channel, priority }: { channel: Channel; priority: Priority }): Promise<void> {
    try {
      const { status, headers, body } = await this.api.post(this.api.message(channel, priority));
      if (status === 202) this.ids.push(body.id as string);
      else this.refusals.push({ status, retryAfter: headers.get('retry-after'), detail: body.detail ?? '' });
    } catch (error) {
      this.refusals.push({ status: 0, retryAfter: null, detail: String(error) });
    }
  }
}
