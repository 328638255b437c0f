import { FAILURE_CLASSES, FAILURE_STAGES, channelSchema, prioritySchema } from '@commservice/contracts';
import { DEAD_LETTER_STATES } from '@commservice/postgres';
import { z } from 'zod';

const timestamp = z.string().describe('ISO 8601, UTC, milliseconds');
const name = z.string().min(1).max(256);
const momentIn = (what: string) => z.iso.datetime({ offset: true }).describe(`ISO 8601 with zone; ${what}`);

/** Fields a dead letter can be filtered by: of the list and of a job's selector. */
export const filterSchema = z
  .strictObject({
    topic: name.optional().describe('A lane topic, or its dlq. or parked. topic'),
    channel: channelSchema.optional(),
    brand: name.optional(),
    priority: prioritySchema.optional(),
    class: z.enum(FAILURE_CLASSES).optional(),
    code: name.optional(),
    fingerprint: z
      .string()
      .regex(/^[0-9a-f]{16}$/)
      .optional()
      .describe('Failures of one cause have the same'),
    stage: z.enum(FAILURE_STAGES).optional(),
    state: z.enum(DEAD_LETTER_STATES).optional(),
    failedFrom: momentIn('this moment and later').optional(),
    failedTo: momentIn('before this moment').optional(),
  })
  .meta({ id: 'DeadLetterFilter' });
export type FilterInput = z.infer<typeof filterSchema>;

export const listQuerySchema = filterSchema.extend({
  cursor: z.string().min(1).max(512).optional().describe('nextCursor of the page before'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

export const deadLetterSchema = z
  .strictObject({
    id: z.string(),
    state: z.enum(DEAD_LETTER_STATES),
    topic: z.string(),
    partition: z.number().int(),
    offset: z.number().int(),
    laneTopic: z.string().describe('Where a redrive puts it back'),
    channel: channelSchema.optional(),
    brand: z.string().optional(),
    priority: prioritySchema.optional(),
    messageId: z.string().optional(),
    traceId: z.string().optional(),
    generation: z.number().int().describe('How often it had been redriven when it died'),
    stage: z.string().optional(),
    class: z.string().optional(),
    code: z.string().optional(),
    fingerprint: z.string().optional(),
    disposition: z.string().optional(),
    detail: z.string().optional().describe('Redacted sentence of what went wrong'),
    attempts: z.number().int().optional(),
    account: z.string().optional(),
    build: z.string().optional().describe('Build that gave it up'),
    failedAt: timestamp,
    expiresAt: timestamp.optional().describe('It is never sent after this'),
    expired: z.boolean().describe('Whether it is too late to send it'),
    original: z
      .strictObject({
        topic: z.string(),
        partition: z.number().int(),
        offset: z.number().int(),
        group: z.string().optional(),
        at: timestamp.optional(),
      })
      .optional()
      .describe('Where it was met when it failed'),
    valueBytes: z.number().int(),
    fault: z.string().optional().describe('Why its headers could not be read'),
    redriveJob: z.string().optional(),
    redrivenAt: timestamp.optional(),
    links: z.strictObject({ self: z.string(), job: z.string().optional() }),
  })
  .meta({ id: 'DeadLetter', description: 'Coordinates and context of one dead letter, never its payload' });
export type DeadLetterBody = z.infer<typeof deadLetterSchema>;

export const deadLetterPageSchema = z
  .strictObject({
    deadLetters: z.array(deadLetterSchema).describe('Newest failure first'),
    nextCursor: z.string().optional().describe('Absent = no more'),
  })
  .meta({ id: 'DeadLetterPage' });
