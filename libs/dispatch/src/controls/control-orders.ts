import { mutexModeSchema } from '@commservice/contracts';
import { z } from 'zod';

/** One line for people; kept in the audit trail and shown by `GET /lanes`. */
const reason = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u);

/** Body of every order but a mode: `{reason}`. */
export const reasonBody = z.strictObject({ reason });
/** Body of `PUT /scopes/<account>/mode`. */
export const modeBody = z.strictObject({ mode: mutexModeSchema, reason });
export type ModeBody = z.infer<typeof modeBody>;
