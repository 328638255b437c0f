import type { Priority } from '@commservice/contracts';

/** One message, ready to be written. */
export interface Composed {
  readonly id: string;
  /** Resolves when it is safe where the dispatchers take it from; rejects with a BenchFault when that is not known. */
  write(): Promise<void>;
}

/** The dispatchers under measurement: their processes, and how a message for them is written. */
export interface Subject {
  /** Accepts the next message of a class. */
  compose(priority: Priority): Composed;
  /** Processes that deliver; throws a BenchFault when one of them has ended. */
  pids(): readonly number[];
  /** What the dispatchers say of themselves since they started; undefined where they do not. */
  metrics(): Promise<PodMetrics | undefined>;
  close(): Promise<void>;
}

/** What the dispatchers' own metrics say, over all of them. */
export interface PodMetrics {
  /** Calls to the coordinator so far: every lease, those of the poll too. */
  readonly leaseCalls: number;
  /** Event-loop delay of the worst process since the last question, ms: 99th percentile and longest. */
  readonly loopP99Ms: number;
  readonly loopMaxMs: number;
}
