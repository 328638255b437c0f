import { z } from 'zod';
import { CHANNELS, type Channel } from '../channel.js';
import { durationSchema } from '../catalogue.js';
import { CONTENT_SCHEMAS, RECIPIENT_SCHEMAS } from './recipient.js';

/** Most items of one batch. */
export const BATCH_MAX_ITEMS = 1000;
/** Largest body of `POST /v1/messages`, bytes. */
export const SINGLE_MAX_BYTES = 512 * 1024;
/** Largest body of `POST /v1/messages/batch`, bytes. */
export const BATCH_MAX_BYTES = 5 * 1024 * 1024;
/** A batch of this many recipients is bulk: P3, unless its category is P2 and allows bulk. */
export const BULK_RECIPIENTS = 200;
/** Longest life a request may ask for. */
export const MAX_TTL_MS = 72 * 3_600_000;

/** A name the catalogue may know; whether it does is a later rule with its own code. */
const name = z.string().min(1).max(64);

/** The fields that do not depend on the channel. */
const commonFields = {
  brand: name.describe('A brand of the catalogue that your team may use'),
  category: name.describe('A category of the catalogue: it decides the priority class and the default ttl'),
  reference: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('Your own reference; searchable, need not be unique, no personal data'),
  ttl: durationSchema
    .optional()
    .describe('ISO 8601 duration, at most PT72H; absent = the default of the category'),
  metadata: z
    .record(z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/), z.string().max(256))
    .refine((m) => Object.keys(m).length <= 20, {
      params: { code: 'too_many_entries' },
      message: 'too_many_entries',
    })
    .optional()
    .describe('At most 20 pairs, returned with the status; stored in clear, so no personal data'),
};

const idempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\x21-\x7e]+$/)
  .optional()
  .describe('Items with the same key of the same team are sent once (24 h)');

function requestOf<C extends Channel>(channel: C) {
  return z.strictObject({
    channel: z.literal(channel),
    ...commonFields,
    to: RECIPIENT_SCHEMAS[channel],
    content: CONTENT_SCHEMAS[channel],
  });
}

/** The body of `POST /v1/messages`, by channel. Unknown fields are refused. */
export const MESSAGE_REQUEST_SCHEMAS = {
  sms: requestOf('sms').meta({ id: 'SmsMessage', description: 'One text message' }),
  push: requestOf('push').meta({ id: 'PushMessage', description: 'One push notification' }),
  email: requestOf('email').meta({ id: 'EmailMessage', description: 'One e-mail' }),
  messenger: requestOf('messenger').meta({
    id: 'MessengerMessage',
    description: 'One message in a messenger',
  }),
} as const;

/** Items of a batch: a message that may carry its own idempotency key. */
export const BATCH_ITEM_SCHEMAS = {
  sms: MESSAGE_REQUEST_SCHEMAS.sms.extend({ idempotencyKey }).meta({ id: 'SmsBatchItem' }),
  push: MESSAGE_REQUEST_SCHEMAS.push.extend({ idempotencyKey }).meta({ id: 'PushBatchItem' }),
  email: MESSAGE_REQUEST_SCHEMAS.email.extend({ idempotencyKey }).meta({ id: 'EmailBatchItem' }),
  messenger: MESSAGE_REQUEST_SCHEMAS.messenger.extend({ idempotencyKey }).meta({ id: 'MessengerBatchItem' }),
} as const;

/** What is checked when the channel itself is wrong: everything that does not depend on it. */
export const ENVELOPE_SCHEMA = z.strictObject({
  channel: z.enum(CHANNELS),
  ...commonFields,
  to: z.unknown(),
  content: z.unknown(),
  idempotencyKey: z.unknown().optional(),
});

export const messageRequestSchema = z.discriminatedUnion('channel', [
  MESSAGE_REQUEST_SCHEMAS.sms,
  MESSAGE_REQUEST_SCHEMAS.push,
  MESSAGE_REQUEST_SCHEMAS.email,
  MESSAGE_REQUEST_SCHEMAS.messenger,
]);
export type MessageRequest = z.infer<typeof messageRequestSchema>;
export type BatchItem = MessageRequest & { readonly idempotencyKey?: string | undefined };

/** The body of `POST /v1/messages/batch`, for documentation; the API validates each item on its own. */
export const batchRequestSchema = z
  .strictObject({
    messages: z
      .array(
        z.discriminatedUnion('channel', [
          BATCH_ITEM_SCHEMAS.sms,
          BATCH_ITEM_SCHEMAS.push,
          BATCH_ITEM_SCHEMAS.email,
          BATCH_ITEM_SCHEMAS.messenger,
        ]),
      )
      .min(1)
      .max(BATCH_MAX_ITEMS),
  })
  .meta({ id: 'Batch' });
