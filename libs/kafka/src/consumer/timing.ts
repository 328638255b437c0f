import type { Priority } from '@commservice/contracts';

/** How one consumer-group member keeps time. All milliseconds and bytes. */
export interface ConsumerTiming {
  readonly heartbeatMs: number;
  /** A member silent for longer is taken for dead, and its partitions go to others. */
  readonly sessionMs: number;
  readonly rebalanceMs: number;
  /** Longest wait of an empty fetch; bounds resume, rejoin and an idle stop. */
  readonly maxWaitMs: number;
  /** A fetch waits (at most `maxWaitMs`) until the broker has this many bytes. */
  readonly minBytes: number;
  /** Most bytes of one partition in one fetch. */
  readonly maxPartitionBytes: number;
  /** How often the done-watermark is committed. */
  readonly commitEveryMs: number;
}

const KIB = 1024;

/** P1 lanes: a dead member is replaced within 6 s, and a fetch is small. */
export const P1_TIMING: ConsumerTiming = {
  heartbeatMs: 250,
  sessionMs: 6_000,
  rebalanceMs: 10_000,
  maxWaitMs: 100,
  minBytes: 1,
  maxPartitionBytes: 64 * KIB,
  commitEveryMs: 200,
};

/** All other lanes. */
export const DEFAULT_TIMING: ConsumerTiming = {
  heartbeatMs: 500,
  sessionMs: 10_000,
  rebalanceMs: 10_000,
  maxWaitMs: 250,
  minBytes: 1,
  maxPartitionBytes: 64 * KIB,
  commitEveryMs: 500,
};

/** What is worth a fetch only in bulk, for example the events of P3. */
export const BULK_TIMING: ConsumerTiming = { ...DEFAULT_TIMING, minBytes: 64 * KIB };

/** The timing of a lane's class. */
export const timingOf = (priority: Priority): ConsumerTiming =>
  priority === 'P1' ? P1_TIMING : DEFAULT_TIMING;
