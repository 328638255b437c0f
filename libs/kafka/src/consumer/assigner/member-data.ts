import { z } from 'zod';
import type { Assignment } from './assign-sticky.js';

/** What a member tells the group of itself when it joins; it travels as the user data of the consumer protocol. */
export interface MemberData {
  readonly owned: Assignment;
  /** Generation in which `owned` was assigned; -1 = not known. */
  readonly generation: number;
  /** `host:port` on which its process listens for as long as it lives; undefined = it is not watched. */
  readonly address?: string;
  /** Which host's network that address means; undefined = a member of an earlier release, not known. */
  readonly host?: string;
}

const NOTHING: MemberData = { owned: {}, generation: -1 };

const stored = z.object({
  v: z.literal(1),
  owned: z.record(z.string(), z.array(z.int().nonnegative())),
  generation: z.int(),
  address: z.string().optional(),
  host: z.string().optional(),
});

/** The bytes of a member's data. */
export function encodeMemberData(data: MemberData): Buffer {
  return Buffer.from(JSON.stringify({ v: 1, ...data }));
}

/** Reads a member's data; of an older or foreign member, or bytes that make no sense, nothing is known. Never throws. */
export function decodeMemberData(bytes: Buffer | null | undefined): MemberData {
  if (!bytes || bytes.length === 0) return NOTHING;
  try {
    const { owned, generation, address, host } = stored.parse(JSON.parse(bytes.toString('utf8')));
    return { owned, generation, address, host };
  } catch {
    return NOTHING;
  }
}
