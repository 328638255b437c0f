import {
  systemClock,
  traceIdOf,
  type Address,
  type Capabilities,
  type Channel,
  type Clock,
  type Content,
  type Outbound,
  type Priority,
  type Provider,
  type SendContext,
  type SendOutcome,
  type WebhookResult,
} from '@commservice/contracts';
import { classify, type SendFacts } from './classify.js';
import type { CodeTable } from './code-table.js';
import { HttpClient } from './http-client.js';
import { parseReceipts } from './receipts.js';

/** Options of every channel's provider: one account, one class, its own connections. */
export interface HttpProviderOptions {
  /** Base URL of the vendor, http or https, without credentials; a path becomes the prefix of all calls. */
  readonly baseUrl: string;
  /** Name of this pod, sent as `x-pod`. */
  readonly pod: string;
  /** Account at the vendor, sent as `x-account`. */
  readonly account: string;
  /** The class whose calls these connections carry; no other class shares them. */
  readonly priority: Priority;
  /** Where receipts of a redrive generation shall go; undefined = none wanted. */
  readonly receiptUrl: (generation: number) => string | undefined;
  /** Most connections = most calls in the air; at least the lane's slots. Up to one and a half times as many wait, others are refused. */
  readonly connections: number;
  /** Whether the account recognises a repeated send by its id. */
  readonly idempotency: 'key' | 'none';
  /** Connections kept warm; default 8 for P1, so that a burst finds them, else 2. */
  readonly warmConnections?: number;
  /** Path of the warming GET; default `/health/ready`. */
  readonly warmPath?: string;
  /** Idle time-out of a connection, ms; default 30 000. Must be shorter than the vendor's. */
  readonly keepAliveMs?: number;
  /** If the vendor announces its idle time-out, ours ends at least this much earlier, ms; default 4 000. */
  readonly keepAliveMarginMs?: number;
  /** Longest wait for TCP and TLS, ms; default 3 000. */
  readonly connectMs?: number;
  readonly clock?: Clock;
}

/** What a channel puts into a request, or the short code of why the message does not fit the channel. */
export type Rendered =
  | { readonly kind: 'rendered'; readonly to: Address; readonly content: Content }
  | { readonly kind: 'unfit'; readonly code: string };

/** What tells one channel from another. */
export interface ChannelProfile {
  readonly channel: Channel;
  readonly codes: CodeTable;
  /** Picks exactly the fields the vendor may see. */
  readonly render: (address: Address, content: Content) => Rendered;
}

/**
 * A provider that speaks `POST /<channel>/messages`. States: NEW → STARTED → DRAINED. Before STARTED and after DRAINED a
 * send ends as `retryable`. One call is one attempt on the wire; no retry, no rate, no sleep.
 */
export class HttpProvider implements Provider {
  readonly id: string;
  readonly capabilities: Capabilities;
  private readonly clock: Clock;
  private client?: HttpClient;
  private path = '';

  constructor(
    private readonly profile: ChannelProfile,
    private readonly options: HttpProviderOptions,
  ) {
    this.id = `${profile.channel}:${options.account}:${options.priority}`;
    this.clock = options.clock ?? systemClock;
    const { idempotency } = options;
    this.capabilities = { channel: profile.channel, batch: null, idempotency, receipts: 'webhook' };
  }

  async start(): Promise<void> {
    if (this.client) return;
    const { options } = this;
    const base = baseOf(options);
    const prefix = base.pathname.replace(/\/$/, '');
    this.path = `${prefix}/${this.profile.channel}/messages`;
    this.client = new HttpClient({
      origin: base.origin,
      connections: options.connections,
      warmConnections: options.warmConnections ?? (options.priority === 'P1' ? 8 : 2),
      warmPath: `${prefix}${options.warmPath ?? '/health/ready'}`,
      keepAliveMs: options.keepAliveMs ?? 30_000,
      keepAliveMarginMs: options.keepAliveMarginMs ?? 4_000,
      connectMs: options.connectMs ?? 3_000,
      clock: this.clock,
    });
    await this.client.warm();
  }

  ready(): boolean {
    return this.client?.ready() ?? true;
  }

  async send(message: Outbound, context: SendContext): Promise<SendOutcome> {
    const rendered = this.profile.render(message.address, message.content);
    if (rendered.kind === 'unfit') return unsent('rejected', rendered.code);
    if (!this.client) return unsent('retryable', 'not_started');
    const receiptUrl = message.wantReceipt ? this.options.receiptUrl(message.generation) : undefined;
    const { to, content } = rendered;
    const body = JSON.stringify({
      to,
      content,
      units: message.units,
      expiresAt: context.deadlineAt,
      receiptUrl,
    });
    const request = {
      method: 'POST' as const,
      path: this.path,
      headers: this.headers(message, context),
      body,
    };
    const { signal, timeoutMs, deadlineAt } = context;
    const { answer, latencyMs } = await this.client.send(request, {
      signal,
      timeoutMs,
      notAfterEpochMs: deadlineAt,
    });
    const facts: SendFacts = {
      codes: this.profile.codes,
      idempotency: this.options.idempotency,
      address: message.address,
      units: message.units,
      receipt: receiptUrl === undefined ? 'none' : 'expected',
      nowEpochMs: this.clock.now(),
    };
    return { ...classify(answer, facts), wire: { latencyMs } };
  }

  parseWebhook(raw: Buffer): WebhookResult {
    return parseReceipts(raw);
  }

  async drain(deadlineMs: number): Promise<void> {
    await this.client?.drain(deadlineMs);
  }

  private headers(message: Outbound, context: SendContext): Record<string, string> {
    const { traceparent } = context.trace;
    return {
      'content-type': 'application/json',
      'x-message-id': message.idempotencyKey,
      'x-priority': message.priority,
      'x-brand': message.brand,
      'x-pod': this.options.pod,
      'x-account': this.options.account,
      'x-kind': message.kind,
      ...(traceIdOf(traceparent) === undefined ? {} : { traceparent }),
    };
  }
}

function unsent(kind: 'rejected' | 'retryable', code: string): SendOutcome {
  const wire = { latencyMs: 0 };
  if (kind === 'retryable') return { kind, error: { code, message: 'nothing was sent' }, wire };
  return {
    kind,
    terminalFor: 'message',
    error: { code, message: 'the message does not fit the channel' },
    wire,
  };
}

/** Checks what can only be wrong in configuration; names the field and the rule. */
function baseOf(options: HttpProviderOptions): URL {
  const base = URL.canParse(options.baseUrl) ? new URL(options.baseUrl) : undefined;
  if (!base || !/^https?:$/.test(base.protocol)) throw new RangeError('baseUrl must be an http or https URL');
  if (base.username !== '' || base.password !== '')
    throw new RangeError('baseUrl must not carry credentials');
  if (base.search !== '' || base.hash !== '')
    throw new RangeError('baseUrl must not carry a query or fragment');
  if (!Number.isSafeInteger(options.connections) || options.connections < 1) {
    throw new RangeError('connections must be a whole number of at least 1');
  }
  for (const name of ['pod', 'account'] as const) {
    if (!/^[A-Za-z0-9._:-]{1,128}$/.test(options[name])) throw new RangeError(`${name} must be a plain name`);
  }
  return base;
}
