import { z } from 'zod';

/** A name in the catalogue: of a brand, an account, a category, a team or a key. */
export const nameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'a name: lower case letters, digits and dashes, at most 32');
