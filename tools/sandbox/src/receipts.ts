import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { ReceiptPlan } from './fate.js';

export interface ReceiptOptions {
  /** Receipts not yet delivered, most; more are dropped and counted. */
  readonly capacity: number;
  /** Receipts in one POST, most. */
  readonly maxPerPost: number;
  /** How often due receipts are gathered, ms. */
  readonly everyMs: number;
  /** Posts in the air, most. */
  readonly maxPosts: number;
  /** Further tries after a refused connection or a 5xx, and the pause between them, ms. */
  readonly retries: number;
  readonly retryMs: number;
}

export const RECEIPT_DEFAULTS: ReceiptOptions = {
  capacity: 200_000,
  maxPerPost: 500,
  everyMs: 50,
  maxPosts: 16,
  retries: 20,
  retryMs: 1000,
};

const ANSWER_MS = 10_000;

interface Post {
  readonly url: string;
  readonly receipts: readonly object[];
  tries: number;
}

/**
 * Reports deliveries back: each receipt waits its delay, then leaves grouped by URL. Refused connections and 5xx are tried
 * again; any other answer settles a post. Bounded by receipts and by posts in the air. `stop` drops what is left.
 */
export class ReceiptOutbox {
  private readonly due = new Map<string, object[]>();
  private readonly ready: Post[] = [];
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly http = new HttpAgent({ keepAlive: true, maxSockets: 16 });
  private readonly https = new HttpsAgent({ keepAlive: true, maxSockets: 16 });
  private readonly ticker: NodeJS.Timeout;
  private held = 0;
  private posting = 0;
  private stopped = false;
  /** Receipts dropped for want of room, after the last try, or refused with a 4xx. */
  dropped = 0;

  constructor(private readonly options: ReceiptOptions = RECEIPT_DEFAULTS) {
    this.ticker = setInterval(() => this.gather(), options.everyMs).unref();
  }

  /** Receipts waiting or in the air. */
  get pending(): number {
    return this.held;
  }

  /** Sends what is planned for one accepted item; a missing or unusable URL means nobody wants receipts. */
  plan(plans: readonly ReceiptPlan[], id: string, providerId: string, url: unknown): void {
    if (typeof url !== 'string' || !/^https?:\/\//.test(url) || !URL.canParse(url)) return;
    for (const { delayMs, state } of plans) {
      if (this.stopped || this.held >= this.options.capacity) {
        this.dropped += 1;
        continue;
      }
      this.held += 1;
      this.after(delayMs, () => {
        const group = this.due.get(url) ?? [];
        if (group.length === 0) this.due.set(url, group);
        group.push({ id, providerId, state, at: new Date().toISOString() });
      });
    }
  }

  stop(): void {
    this.stopped = true;
    clearInterval(this.ticker);
    for (const timer of this.timers) clearTimeout(timer);
    this.http.destroy();
    this.https.destroy();
  }

  private after(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      run();
    }, ms).unref();
    this.timers.add(timer);
  }

  private gather(): void {
    for (const [url, receipts] of this.due) {
      for (let i = 0; i < receipts.length; i += this.options.maxPerPost) {
        this.ready.push({ url, receipts: receipts.slice(i, i + this.options.maxPerPost), tries: 0 });
      }
    }
    this.due.clear();
    this.pump();
  }

  private pump(): void {
    while (!this.stopped && this.posting < this.options.maxPosts) {
      const post = this.ready.shift();
      if (!post) return;
      this.posting += 1;
      this.post(post, (result) => {
        this.posting -= 1;
        this.settle(post, result);
        this.pump();
      });
    }
  }

  private settle(post: Post, result: 'taken' | 'refused' | 'again'): void {
    if (result === 'again' && post.tries < this.options.retries && !this.stopped) {
      post.tries += 1;
      this.after(this.options.retryMs, () => this.ready.push(post));
      return;
    }
    this.held -= post.receipts.length;
    if (result !== 'taken') this.dropped += post.receipts.length;
  }

  private post({ url, receipts }: Post, done: (result: 'taken' | 'refused' | 'again') => void): void {
    let settled = false;
    const once = (result: 'taken' | 'refused' | 'again') => {
      if (settled) return;
      settled = true;
      done(result);
    };
    const body = Buffer.from(JSON.stringify({ receipts }));
    const secure = url.startsWith('https:');
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const options = { method: 'POST', agent: secure ? this.https : this.http, headers, timeout: ANSWER_MS };
    const req = (secure ? httpsRequest : httpRequest)(url, options, (res) => {
      res.resume();
      const status = res.statusCode ?? 500;
      once(status >= 500 || status === 429 ? 'again' : status >= 300 ? 'refused' : 'taken');
    });
    req.on('timeout', () => req.destroy(new Error('no answer')));
    req.on('error', () => once('again'));
    req.end(body);
  }
}
