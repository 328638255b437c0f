import { z } from 'zod';
import { channelSchema, prioritySchema } from './channel.js';
import type { Message } from './message.js';

/** Message states, least final first. A state never gives way to one of lower rank within one redrive generation. */
export const STATUSES = [
  'accepted',
  'scheduled',
  'held',
  'queued',
  'sending',
  'sent',
  'unconfirmed',
  'delivered',
  'undelivered',
  'failed',
  'expired',
  'canceled',
  'suppressed',
  'skipped',
] as const;
export const statusSchema = z.enum(STATUSES);
export type Status = z.infer<typeof statusSchema>;

/** Order of finality. `unconfirmed` stays below the terminal ones: a late receipt may still settle it. */
export const STATUS_RANK: Record<Status, number> = {
  accepted: 0,
  scheduled: 1,
  held: 1,
  queued: 2,
  sending: 3,
  sent: 4,
  unconfirmed: 5,
  delivered: 6,
  undelivered: 6,
  failed: 6,
  expired: 6,
  canceled: 6,
  suppressed: 6,
  skipped: 6,
};

/** Whether nothing more is expected of a message in this state (a redrive starts a new generation). */
export const isTerminal = (status: Status): boolean => STATUS_RANK[status] >= STATUS_RANK.unconfirmed;

/**
 * One thing that happened to one message (`event.v1`, JSON, keyed by message id). Every event that the platform itself
 * writes carries all fields of the message's row, so that a missing earlier event changes nothing; only a receipt that
 * reaches a pod which did not send the message lacks them.
 */
export const eventSchema = z.object({
  v: z.literal(1),
  id: z.uuid(),
  status: statusSchema,
  /** Epoch ms at which it happened. */
  at: z.number(),
  /** Redrive generation; 0 until a dead letter is replayed. */
  generation: z.number().int().min(0),
  priority: prioritySchema,
  team: z.string().optional(),
  channel: channelSchema.optional(),
  brand: z.string().optional(),
  category: z.string().optional(),
  reference: z.string().optional(),
  traceId: z.string().optional(),
  campaign: z.string().optional(),
  kind: z.enum(['message', 'heartbeat']).optional(),
  units: z.number().int().optional(),
  acceptedAt: z.number().optional(),
  expiresAt: z.number().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  attempt: z.number().int().optional(),
  account: z.string().optional(),
  providerId: z.string().optional(),
  /** Short code of the reason, ours or the vendor's. */
  code: z.string().optional(),
  /** Plain sentence for people. */
  reason: z.string().optional(),
  receiptExpected: z.boolean().optional(),
});
export type MessageEvent = z.infer<typeof eventSchema>;

/** What an event says beyond the message's own fields. */
export type EventDetail = Pick<MessageEvent, 'status' | 'at' | 'generation'> &
  Partial<
    Pick<
      MessageEvent,
      'attempt' | 'account' | 'providerId' | 'code' | 'reason' | 'receiptExpected' | 'traceId'
    >
  >;

/** An event with all fields of the message's row. */
export function eventOf(m: Message, detail: EventDetail): MessageEvent {
  return {
    v: 1,
    id: m.id,
    priority: m.priority,
    team: m.team,
    channel: m.channel,
    brand: m.brand,
    category: m.category,
    reference: m.reference,
    campaign: m.campaign,
    kind: m.kind,
    units: m.units,
    acceptedAt: m.acceptedAt,
    expiresAt: m.expiresAt,
    metadata: m.metadata,
    ...detail,
  };
}

/** Whether `next` may replace `current`: a higher redrive generation, or a higher rank in the same one. */
export function supersedes(
  next: { generation: number; status: Status },
  current: { generation: number; status: Status },
): boolean {
  if (next.generation !== current.generation) return next.generation > current.generation;
  return STATUS_RANK[next.status] > STATUS_RANK[current.status];
}

/** Reads an event record's value; undefined when it is none. Never throws. */
export function decodeEvent(value: Buffer | null): MessageEvent | undefined {
  if (value === null) return undefined;
  try {
    const parsed = eventSchema.safeParse(JSON.parse(value.toString('utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
