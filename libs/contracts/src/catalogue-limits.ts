import { z } from 'zod';
import { prioritySchema } from './channel.js';

/**
 * What one brand may send through an account, in the account's unit. The limits of an account's brands may add up to more
 * than its R. P2 and P3 are held to it; P1 is never, but counts.
 */
export const brandLimitSchema = z.strictObject({ ratePerSecond: z.number().positive() });

/** What one recipient may be sent through an account, in messages. */
export const recipientLimitSchema = z.strictObject({
  /** Most messages in any minute. */
  perMinute: z.number().int().min(1).max(600),
  /** Classes that are held to it and count for it. Default: P2 and P3. */
  priorities: z.array(prioritySchema).min(1).default(['P2', 'P3']),
});

export type BrandLimit = z.infer<typeof brandLimitSchema>;
export type RecipientLimit = z.infer<typeof recipientLimitSchema>;
