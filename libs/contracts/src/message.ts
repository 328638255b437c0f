import { z } from 'zod';
import { channelSchema, prioritySchema } from './channel.js';
import { HEADER, type TextHeaders } from './headers.js';

/** `x-cs-schema` of the records this build writes. */
export const MESSAGE_SCHEMA = 'message.v1';

const epochMs = z.number().int().positive();

/**
 * The value of a lane record, JSON of at most 256 KiB. HTTP refuses unknown fields; consumers ignore them.
 * The recipient and the rendered content exist only inside `sealed`.
 */
export const messageSchema = z.object({
  /** UUIDv7 with a MAC (see message-id.ts): also the provider's reference and idempotency key. */
  id: z.uuid(),
  /** The team's own reference, free text; never unique. */
  reference: z.string().max(256).optional(),
  team: z.string(),
  channel: channelSchema,
  brand: z.string(),
  category: z.string(),
  priority: prioritySchema,
  /** `sealed.v1.<keyId>.<base64url>` (see sealed.ts). */
  sealed: z.string(),
  template: z.object({ id: z.string(), version: z.number().int(), locale: z.string() }).optional(),
  /** Billing units of one send in the account's unit, for example SMS parts. */
  units: z.number().int().min(1),
  acceptedAt: epochMs,
  expiresAt: epochMs,
  orderKey: z.string().optional(),
  sequence: z.number().int().optional(),
  sequencePolicy: z.enum(['latest_wins', 'strict', 'none']).optional(),
  idempotencyKey: z.string().optional(),
  campaign: z.string().optional(),
  parent: z.string().optional(),
  fallback: z.unknown().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  kind: z.enum(['message', 'heartbeat']),
});
export type Message = z.infer<typeof messageSchema>;

/** The headers every lane record carries. */
export function messageHeaders(m: Message, trace: { traceparent: string; tracestate?: string }): TextHeaders {
  return {
    [HEADER.traceparent]: trace.traceparent,
    ...(trace.tracestate ? { [HEADER.tracestate]: trace.tracestate } : {}),
    [HEADER.id]: m.id,
    [HEADER.priority]: m.priority,
    [HEADER.expiresAt]: String(m.expiresAt),
    [HEADER.schema]: MESSAGE_SCHEMA,
  };
}

export type DecodedMessage =
  | { kind: 'message'; message: Message }
  /** The bytes are no valid message of a schema we know: a poison record. `fault` names paths and rules, never values. */
  | { kind: 'unreadable'; stage: 'deserialize' | 'validate'; fault: string }
  /** A newer major version: nothing is wrong with the record, this build is too old. The lane pauses. */
  | { kind: 'unknown-schema'; schema: string };

/** Reads a record's value; never throws. */
export function decodeMessage(value: Buffer | null, schema: string | undefined): DecodedMessage {
  if (schema !== undefined && schema !== MESSAGE_SCHEMA && /^message\.v\d+$/.test(schema)) {
    return { kind: 'unknown-schema', schema };
  }
  if (value === null) return { kind: 'unreadable', stage: 'deserialize', fault: 'the record has no value' };
  let json: unknown;
  try {
    json = JSON.parse(value.toString('utf8'));
  } catch {
    return { kind: 'unreadable', stage: 'deserialize', fault: 'the value is not JSON' };
  }
  const parsed = messageSchema.safeParse(json);
  if (parsed.success) return { kind: 'message', message: parsed.data };
  const fault = parsed.error.issues.map((i) => `/${i.path.join('/')}: ${i.code}`).join('; ');
  return { kind: 'unreadable', stage: 'validate', fault };
}
