import type { Channel, Priority } from './channel.js';
import type { Address, Content } from './content.js';

/** Whose limit a throttle or a rate hint speaks of. */
export type LimitScope = 'account' | 'sender' | 'recipient' | 'connection';

/** One rendered, validated message to one recipient. */
export interface Outbound {
  readonly notificationId: string;
  readonly attemptId: string;
  /** Stable over every attempt of one message: its id. */
  readonly idempotencyKey: string;
  readonly address: Address;
  readonly content: Content;
  readonly priority: Priority;
  readonly brand: string;
  /** Billing units of this send in the account's unit. */
  readonly units: number;
  readonly kind: 'message' | 'heartbeat';
  readonly account: string;
  readonly wantReceipt: boolean;
  /** Redrive generation, echoed by receipts so that they count for the right one. */
  readonly generation: number;
}

export interface SendContext {
  /** Cancel = stop waiting; the result is `unknown` if bytes have left. */
  readonly signal: AbortSignal;
  /** Epoch ms after which the message must not be delivered: the provider's validity. */
  readonly deadlineAt: number;
  /** Longest wait for this call's answer. */
  readonly timeoutMs: number;
  readonly attempt: number;
  readonly trace: { readonly traceparent: string };
}

/** Redacted: no address, body or secret. */
export interface ProviderError {
  readonly code: string;
  readonly status?: number;
  readonly message: string;
  /** The vendor's code is in no table of ours: worth one more try and a count before it is believed. */
  readonly unmapped?: true;
}

/** What became of one attempt on the wire. */
export type SendResult =
  | { kind: 'accepted'; providerIds: readonly string[]; units: number; receipt: 'none' | 'expected' }
  /** Certainly not sent; may be tried again. */
  | { kind: 'retryable'; retryAfterMs?: number; error: ProviderError }
  /** May have been sent: time-out or loss after bytes left. */
  | { kind: 'unknown'; error: ProviderError }
  | { kind: 'throttled'; scope: LimitScope; retryAfterMs?: number; error: ProviderError }
  | { kind: 'rejected'; terminalFor: 'message' | 'recipient'; error: ProviderError }
  | { kind: 'misconfigured'; scope: 'account' | 'sender'; error: ProviderError };

export type SendOutcome = SendResult & { readonly wire: { readonly latencyMs: number } };

export interface Capabilities {
  readonly channel: Channel;
  /** Native batch call, or null. */
  readonly batch: { max: number; perRecipientResult: boolean } | null;
  /** Whether a repeated send with the same key is recognised by the vendor. */
  readonly idempotency: 'key' | 'none';
  readonly receipts: 'none' | 'webhook';
}

export interface Receipt {
  /** Message id. */
  readonly id: string;
  readonly providerId: string;
  readonly state: 'delivered' | 'undelivered';
  /** Epoch ms. */
  readonly at: number;
}

export type WebhookResult =
  { ok: true; receipts: Receipt[] } | { ok: false; status: 400 | 401; reason: string };

/**
 * One vendor connection. No internal retry, rate limit or sleep: one call is one attempt on the wire.
 * `send` never rejects.
 */
export interface Provider {
  readonly id: string;
  readonly capabilities: Capabilities;
  /** Opens connections (and warms one, so that a first P1 pays no handshake). Rejects only on bad config. */
  start(): Promise<void>;
  /**
   * Whether a call made now leaves at once; absent = always. A token is for its moment: a call that must connect first would
   * leave later than it was granted for, beside those granted for then. Cheap, asked before each token. True as well when a
   * connection cannot be had in time: then the call is what tells why.
   */
  ready?(): boolean;
  send(message: Outbound, context: SendContext): Promise<SendOutcome>;
  /** Pure: reads a receipt webhook's body. */
  parseWebhook(raw: Buffer, headers: Readonly<Record<string, string | undefined>>): WebhookResult;
  /** No new sends; settles what is in flight within `deadlineMs` (the rest is `unknown`); closes. */
  drain(deadlineMs: number): Promise<void>;
}
