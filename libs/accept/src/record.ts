import type { KeyObject } from 'node:crypto';
import {
  encodePayload,
  eventOf,
  laneOf,
  laneTopic,
  MAX_RECORD_BYTES,
  messageHeaders,
  perBrandOf,
  seal,
  traceIdOf,
  type Catalogue,
  type Channel,
  type DataKey,
  type Message,
  type MessageEvent,
  type Payload,
  type PerBrand,
  type Priority,
} from '@commservice/contracts';
import { recipientHash } from './recipient-hash.js';
import type { LaneRecord } from './result.js';

/** W3C trace context of the request, already validated. */
export interface Trace {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Everything that is known about a message once it has passed all checks. */
export interface Draft {
  readonly id: string;
  readonly team: string;
  readonly channel: Channel;
  readonly brand: string;
  readonly category: string;
  readonly priority: Priority;
  readonly reference?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly units: number;
  /** Epoch ms. */
  readonly acceptedAt: number;
  readonly ttlMs: number;
  readonly kind: 'message' | 'heartbeat';
  readonly payload: Payload;
  /** Names the recipient within its channel. */
  readonly identity: string;
}

export interface RecordContext {
  readonly catalogue: Catalogue;
  readonly dataKey: DataKey;
  readonly hashKey: KeyObject;
  readonly trace: Trace;
}

export type Recorded =
  { kind: 'recorded'; message: Message; record: LaneRecord; event: MessageEvent } | { kind: 'too-large' };

const perBrands = new WeakMap<Catalogue, PerBrand>();

function perBrandCached(catalogue: Catalogue): PerBrand {
  const known = perBrands.get(catalogue) ?? perBrandOf(catalogue);
  perBrands.set(catalogue, known);
  return known;
}

function messageOf(draft: Draft, dataKey: DataKey): Message {
  return {
    id: draft.id,
    reference: draft.reference,
    team: draft.team,
    channel: draft.channel,
    brand: draft.brand,
    category: draft.category,
    priority: draft.priority,
    sealed: seal(encodePayload(draft.payload), dataKey, draft.id),
    units: draft.units,
    acceptedAt: draft.acceptedAt,
    expiresAt: draft.acceptedAt + draft.ttlMs,
    idempotencyKey: draft.idempotencyKey,
    metadata: draft.metadata,
    kind: draft.kind,
  };
}

/** Seals a draft and makes its lane record and its `accepted` event. The message is serialised here, once. */
export function recordOf(draft: Draft, { catalogue, dataKey, hashKey, trace }: RecordContext): Recorded {
  const message = messageOf(draft, dataKey);
  const value = Buffer.from(JSON.stringify(message));
  if (value.length > MAX_RECORD_BYTES) return { kind: 'too-large' };
  const record: LaneRecord = {
    topic: laneTopic(laneOf(message, perBrandCached(catalogue))),
    key: recipientHash(hashKey, draft.channel, draft.identity),
    value,
    headers: messageHeaders(message, trace),
  };
  const traceId = traceIdOf(trace.traceparent);
  const event = eventOf(message, {
    status: 'accepted',
    at: draft.acceptedAt,
    generation: 0,
    ...(traceId ? { traceId } : {}),
  });
  return { kind: 'recorded', message, record, event };
}
