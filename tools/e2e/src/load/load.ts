import { setTimeout as delay } from 'node:timers/promises';
import type { Channel, Priority } from '@commservice/contracts';
import type { Api } from '../client/api.js';
import { nowMs } from './now.js';
import { poissonPausesMs } from './random.js';

/** One message that was accepted. Times are epoch ms with fractions, by the clock the sandbox uses. */
export interface SentMessage {
  readonly id: string;
  readonly priority: Priority;
  /** When the request left. */
  readonly askedAtMs: number;
  /** When the 202 had come. */
  readonly acceptedAtMs: number;
}

/** A request that was not answered 202. `status` 0: there was no answer. */
export interface Refusal {
  readonly priority: Priority;
  readonly status: number;
  readonly detail: string;
  readonly askedAtMs: number;
}

export interface LoadOptions {
  /** 0 = none. */
  readonly p1PerSecond: number;
  readonly p2PerSecond: number;
  /** One by one, not in batches. Default: none. */
  readonly p3PerSecond?: number;
  /** Same seed, same arrivals. */
  readonly seed: number;
  /** Default sms. */
  readonly channel?: Channel;
  /** Default alfa. */
  readonly brand?: string;
}

/**
 * A Poisson load over REST from its creation until `stop`: answers are not awaited and nothing is repeated, so a slow
 * platform does not slow the load. States: running → stopped. Callers: journeys.
 */
export class Load {
  /** Accepted so far, in the order of the answers. */
  readonly sent: SentMessage[] = [];
  /** Every other answer. */
  readonly refusals: Refusal[] = [];
  private readonly open = new Set<Promise<void>>();
  private readonly ending = new AbortController();
  private readonly loops: Promise<unknown>;

  constructor(
    private readonly api: Api,
    private readonly options: LoadOptions,
  ) {
    const { p1PerSecond, p2PerSecond, p3PerSecond = 0, seed } = options;
    this.loops = Promise.all([
      this.run('P1', p1PerSecond, 3 * seed),
      this.run('P2', p2PerSecond, 3 * seed + 1),
      this.run('P3', p3PerSecond, 3 * seed + 2),
    ]);
  }

  /** Stops asking, waits for the last answers, and gives what was accepted. */
  async stop(): Promise<readonly SentMessage[]> {
    this.ending.abort();
    await this.loops;
    await Promise.all(this.open);
    return this.sent;
  }

  private async run(priority: Priority, perSecond: number, seed: number): Promise<void> {
    if (!(perSecond > 0)) return;
    const { signal } = this.ending;
    let dueMs = performance.now();
    for (const pauseMs of poissonPausesMs(seed, perSecond)) {
      dueMs += pauseMs;
      const waitMs = dueMs - performance.now();
      // the pace of a load, not a wait for an outcome
      if (waitMs > 0) await delay(waitMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const asked = this.ask(priority).finally(() => this.open.delete(asked));
      this.open.add(asked);
    }
  }

  private async ask(priority: Priority): Promise<void> {
    const { channel = 'sms', brand = 'alfa' } = this.options;
    const body = { ...this.api.message(channel, priority), brand };
    const askedAtMs = nowMs();
    const refuse = (status: number, detail: string): void =>
      void this.refusals.push({ priority, status, detail, askedAtMs });
    try {
      const reply = await this.api.post(body);
      if (reply.status !== 202) return refuse(reply.status, reply.body.detail ?? '');
      this.sent.push({ id: reply.body.id as string, priority, askedAtMs, acceptedAtMs: nowMs() });
    } catch (error) {
      refuse(0, String(error));
    }
  }
}
