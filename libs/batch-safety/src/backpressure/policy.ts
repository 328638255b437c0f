import { z } from 'zod';

/**
 * What a full queue does. `block`: it refuses and the offerer pauses. `drop_newest`: it refuses for good and counts the loss.
 * `drop_oldest`: the head gives way. `spill`: the overflow goes to disk.
 */
export const OVERFLOW_POLICIES = ['block', 'drop_newest', 'drop_oldest', 'spill'] as const;
export type OverflowPolicy = (typeof OVERFLOW_POLICIES)[number];

const BUILT: readonly OverflowPolicy[] = ['block'];

/** A queue's bounds. The policy has no default: a missing one is refused, so that nobody loses messages by omission. */
export const boundedQueueOptions = z.strictObject({
  capacity: z.strictObject({
    /** Most items waiting. */
    items: z.number().int().min(1),
    /** Most bytes waiting, counted after decoding; the last item taken may go past it. */
    bytes: z.number().int().min(1),
  }),
  onFull: z
    .enum(OVERFLOW_POLICIES)
    .refine((p) => BUILT.includes(p), 'this policy is not built yet; use block'),
  /** Share of the capacity at and below which the queue counts as low again. Default 0.7. */
  lowWater: z.number().gt(0).lt(1).default(0.7),
});
export type BoundedQueueOptions = z.input<typeof boundedQueueOptions>;
