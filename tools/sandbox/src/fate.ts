import type { Channel } from '@commservice/contracts';
import type { CallOutcome } from './call-log.js';
import type { ActiveConfig, SandboxConfig } from './config.js';
import { KnownIds } from './known-ids.js';
import { LATE_RECEIPT_MS, magicOf, type MagicEffect } from './magic.js';
import { randomStream } from './random.js';
import { SlidingSecond } from './sliding-second.js';

/** What a vendor's own codes are called, by channel; `magic.ts` recipients are refused with them. */
const REFUSALS: Record<Channel, { message: string; recipient: string }> = {
  sms: { message: 'content_blocked', recipient: 'unknown_subscriber' },
  push: { message: 'payload_rejected', recipient: 'unregistered_token' },
  email: { message: 'content_rejected', recipient: 'mailbox_not_found' },
  messenger: { message: 'content_rejected', recipient: 'user_blocked_bot' },
};

export interface Item {
  readonly id: string;
  readonly to: unknown;
  readonly content: unknown;
}

/** One receipt to come. */
export interface ReceiptPlan {
  readonly delayMs: number;
  readonly state: 'delivered' | 'undelivered';
}

/** What becomes of one item. `silent`: the caller gets no answer; `broken`: its connection is reset. */
export interface Fate {
  readonly outcome: CallOutcome;
  readonly status: number;
  readonly providerId?: string;
  readonly code?: string;
  readonly retryAfterS?: number;
  readonly answer: 'given' | 'silent' | 'broken';
  readonly receipts: readonly ReceiptPlan[];
}

/** One account at the vendor: what it used of its rate, what it accepted, its dice. */
interface Account {
  readonly window: SlidingSecond;
  readonly known: KnownIds;
  readonly dice: () => number;
}

const MAX_TRIES = 10_000;
const fate = (outcome: CallOutcome, status: number, more: Partial<Fate> = {}): Fate => ({
  outcome,
  status,
  answer: 'given',
  receipts: [],
  ...more,
});

/** Decides every call; synchronous and O(1), so that equal calls in equal order meet equal fates. */
export class Fates {
  private readonly accounts = new Map<string, Account>();
  /** Calls so far of ids at recipients that count them; the oldest are forgotten. */
  private readonly tries = new Map<string, number>();

  constructor(
    private readonly config: SandboxConfig,
    private readonly seed: number,
  ) {}

  /** Microseconds until the account has room again; 0 when `units` were taken. */
  throttle(channel: Channel, account: string, units: number, atUs: number): number {
    const { ratePerSecond } = this.config.of(channel, account);
    if (ratePerSecond === null) return 0;
    return this.account(account).window.take(units, Math.floor(ratePerSecond * 1.02) + 1, atUs);
  }

  /** The code that makes an all-or-nothing batch fail as a whole, or undefined. */
  refusalOf(channel: Channel, account: string, items: readonly Item[]): string | undefined {
    const config = this.config.of(channel, account);
    for (const item of items) {
      const code = this.refusal(channel, config, item, magicOf(item.to));
      if (code !== undefined) return code;
    }
    return undefined;
  }

  /** The fate of one item whose units are already taken. */
  decide(channel: Channel, accountName: string, item: Item): Fate {
    const config = this.config.of(channel, accountName);
    const account = this.account(accountName);
    const providerId = `${accountName}:${item.id}`;
    if (config.idempotent && account.known.has(item.id)) return fate('duplicate', 200, { providerId });
    const effect = magicOf(item.to);
    const code = this.refusal(channel, config, item, effect);
    if (code !== undefined) return fate('refused', 400, { code });
    const trouble = this.magicTrouble(effect, item.id) ?? this.diceTrouble(config, account.dice());
    if (trouble) return trouble;
    account.known.add(item.id);
    return fate('accepted', 200, {
      providerId,
      answer: effect === 'accept-unanswered' ? 'silent' : 'given',
      receipts: receiptsOf(config, effect, account.dice),
    });
  }

  private account(name: string): Account {
    const known = this.accounts.get(name);
    if (known) return known;
    const made = { window: new SlidingSecond(), known: new KnownIds(), dice: randomStream(this.seed, name) };
    this.accounts.set(name, made);
    return made;
  }

  private refusal(
    channel: Channel,
    config: ActiveConfig,
    item: Item,
    effect?: MagicEffect,
  ): string | undefined {
    if (effect === 'refuse-message') return REFUSALS[channel].message;
    if (effect === 'refuse-recipient') return REFUSALS[channel].recipient;
    if (config.refusals.length === 0) return undefined;
    const text = JSON.stringify([item.to, item.content]);
    return config.refusals.find((r) => r.test.test(text))?.code;
  }

  private magicTrouble(effect: MagicEffect | undefined, id: string): Fate | undefined {
    switch (effect) {
      case 'hang':
        return fate('hung', 0, { answer: 'silent' });
      case 'fail':
        return fate('failed', 500, { code: 'unavailable' });
      case 'fail-once':
        return this.tryOf(id) <= 1 ? fate('failed', 500, { code: 'unavailable' }) : undefined;
      case 'throttle-twice':
        return this.tryOf(id) <= 2
          ? fate('throttled', 429, { code: 'throttled', retryAfterS: 0.5 })
          : undefined;
      default:
        return undefined;
    }
  }

  private diceTrouble(config: ActiveConfig, dice: number): Fate | undefined {
    const { fail, hang } = config;
    if (dice < fail.share) {
      const answer = fail.status === 0 ? 'broken' : 'given';
      return fate('failed', fail.status, { code: 'unavailable', answer });
    }
    return dice < fail.share + hang.share ? fate('hung', 0, { answer: 'silent' }) : undefined;
  }

  private tryOf(id: string): number {
    const n = (this.tries.get(id) ?? 0) + 1;
    this.tries.set(id, n);
    if (this.tries.size > MAX_TRIES) this.tries.delete(this.tries.keys().next().value as string);
    return n;
  }
}

function receiptsOf(
  config: ActiveConfig,
  effect: MagicEffect | undefined,
  dice: () => number,
): ReceiptPlan[] {
  const { delayMs, deliveredShare } = config.receipts;
  const arrives = dice() < deliveredShare && effect !== 'undelivered';
  const receipt: ReceiptPlan = {
    delayMs: effect === 'late-receipt' ? delayMs + LATE_RECEIPT_MS : delayMs,
    state: arrives ? 'delivered' : 'undelivered',
  };
  return effect === 'duplicate-receipt' ? [receipt, receipt] : [receipt];
}
