import { REDRIVE_STATES } from '@commservice/postgres';
import { z } from 'zod';
import { filterSchema } from '../dead-letters/schemas.js';

export const MAX_RATE_PER_SECOND = 500;
export const DEFAULT_RATE_PER_SECOND = 50;

const timestamp = z.string().describe('ISO 8601, UTC, milliseconds');

const selectorSchema = z
  .strictObject({
    ids: z
      .array(z.string().regex(/^[0-9a-f]{32}$/))
      .min(1)
      .max(1_000)
      .optional()
      .describe('Exactly these'),
    filter: filterSchema
      .optional()
      .describe('All that match now; those in state dead where it names no state'),
  })
  .refine((s) => (s.ids === undefined) !== (s.filter === undefined), { params: { code: 'invalid_value' } })
  .describe('Either `ids` or `filter`');

/** The body of `POST /v1/redrive-jobs`. */
export const redriveRequestSchema = z
  .strictObject({
    selector: selectorSchema,
    ratePerSecond: z
      .number()
      .int()
      .min(1)
      .max(MAX_RATE_PER_SECOND)
      .default(DEFAULT_RATE_PER_SECOND)
      .describe('Most replays in any second'),
    reason: z.string().trim().min(1).max(500).describe('Why, for the audit trail; no personal data'),
  })
  .meta({ id: 'RedriveRequest' });
export type RedriveInput = z.infer<typeof redriveRequestSchema>;

const count = z.number().int();

export const redriveJobSchema = z
  .strictObject({
    id: z.uuid(),
    state: z.enum(REDRIVE_STATES),
    requestedBy: z.string().describe('Id of the key that asked for it'),
    reason: z.string(),
    selector: z.unknown(),
    ratePerSecond: count,
    counters: z.strictObject({
      selected: count.describe('Frozen when the job was made'),
      produced: count.describe('Back on their lane, acknowledged'),
      skipped: z.strictObject({
        expired: count.describe('Too late to be sent'),
        gone: count.describe('No longer on the dead-letter topic'),
        already_redriven: count.describe('Replayed by another job'),
        unreadable: count.describe('Cannot be restored'),
      }),
      pending: count,
    }),
    progress: z.number().min(0).max(1).describe('Share of the items that are settled'),
    createdAt: timestamp,
    startedAt: timestamp.optional(),
    finishedAt: timestamp.optional(),
    links: z.strictObject({ self: z.string(), cancel: z.string() }),
  })
  .meta({ id: 'RedriveJob' });
export type RedriveJobBody = z.infer<typeof redriveJobSchema>;

export const redriveJobsSchema = z
  .strictObject({ jobs: z.array(redriveJobSchema).describe('Newest first') })
  .meta({ id: 'RedriveJobs' });

export const jobsQuerySchema = z.strictObject({ limit: z.coerce.number().int().min(1).max(200).default(50) });
