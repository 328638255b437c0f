import type { Priority } from '@commservice/contracts';

export type PhaseName = 'warm-up' | 'idle' | 'flood' | 'burst';

/** One message that was produced, as its sender knows it. */
export interface Sent {
  readonly id: string;
  readonly priority: Priority;
  readonly phase: PhaseName;
  /** When it was accepted, before it was written to Kafka: epoch ms with fractions, by the clock the sandbox uses. */
  readonly atMs: number;
}

/** Epoch ms with fractions. */
export const epochMs = (): number => performance.timeOrigin + performance.now();
