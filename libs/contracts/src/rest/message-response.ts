import { z } from 'zod';
import { channelSchema, prioritySchema } from '../channel.js';
import { statusSchema } from '../events.js';
import { problemSchema } from './problem.js';

const timestamp = z.string().describe('ISO 8601, UTC, milliseconds');
const links = z.strictObject({ self: z.string(), events: z.string() });

/** The body of a 202: the message is stored on its topic, on all replicas in sync. */
export const acceptedResponseSchema = z
  .strictObject({
    id: z.uuid(),
    status: z.literal('accepted'),
    reference: z.string().optional(),
    channel: channelSchema,
    brand: z.string(),
    category: z.string(),
    priority: prioritySchema.describe('The class the catalogue gave it'),
    units: z.number().int().min(1).describe('Billing units of one send; sms: parts'),
    sms: z.strictObject({ encoding: z.enum(['gsm7', 'ucs2']), parts: z.number().int() }).optional(),
    acceptedAt: timestamp,
    expiresAt: timestamp.describe('It is never sent after this'),
    links,
  })
  .meta({ id: 'AcceptedMessage' });
export type AcceptedResponse = z.infer<typeof acceptedResponseSchema>;

export const batchResultSchema = z.strictObject({
  index: z.number().int().min(0),
  status: z.number().int().describe('The status this item alone would have got'),
  id: z.uuid().optional(),
  problem: problemSchema.optional(),
  replayed: z
    .literal(true)
    .optional()
    .describe('The item repeats an earlier one by its idempotencyKey; nothing new is sent'),
});
export type BatchResult = z.infer<typeof batchResultSchema>;

export const batchResponseSchema = z
  .strictObject({
    accepted: z.number().int(),
    rejected: z.number().int(),
    results: z.array(batchResultSchema),
  })
  .meta({ id: 'BatchResponse' });
export type BatchResponse = z.infer<typeof batchResponseSchema>;

/** Where a message stands. Directly after a 202 only `id`, `status`, `acceptedAt` and `links` may be known. */
export const messageStatusSchema = z
  .strictObject({
    id: z.uuid(),
    status: statusSchema,
    reference: z.string().optional(),
    channel: channelSchema.optional(),
    brand: z.string().optional(),
    category: z.string().optional(),
    priority: prioritySchema.optional(),
    units: z.number().int().optional(),
    campaign: z.string().optional(),
    metadata: z.record(z.string(), z.string()).optional(),
    traceId: z.string().optional(),
    generation: z.number().int().optional().describe('Redrive generation'),
    attempt: z.number().int().optional(),
    account: z.string().optional(),
    providerId: z.string().optional(),
    code: z.string().optional().describe('Short code of the reason of the last change'),
    reason: z.string().optional(),
    acceptedAt: timestamp.optional(),
    updatedAt: timestamp.optional(),
    expiresAt: timestamp.optional(),
    links,
  })
  .meta({ id: 'MessageStatus' });
export type MessageStatusResponse = z.infer<typeof messageStatusSchema>;

export const messageEventSchema = z
  .strictObject({
    status: statusSchema,
    at: timestamp,
    generation: z.number().int(),
    attempt: z.number().int().optional(),
    account: z.string().optional(),
    providerId: z.string().optional(),
    code: z.string().optional(),
    reason: z.string().optional(),
  })
  .meta({ id: 'MessageEvent' });
export type MessageEventResponse = z.infer<typeof messageEventSchema>;

export const eventsResponseSchema = z
  .strictObject({ id: z.uuid(), events: z.array(messageEventSchema).describe('Oldest first') })
  .meta({ id: 'MessageEvents' });

export const searchResponseSchema = z
  .strictObject({
    messages: z.array(messageStatusSchema).describe('Newest first'),
    nextCursor: z.string().optional().describe('Pass it as `cursor` for the next page; absent = no more'),
  })
  .meta({ id: 'MessagePage' });

/** Query of `GET /v1/messages`. */
export const searchQuerySchema = z.strictObject({
  reference: z.string().min(1).max(256).optional(),
  traceId: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
  status: statusSchema.optional(),
  cursor: z.string().min(1).max(512).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type SearchQuery = z.infer<typeof searchQuerySchema>;
