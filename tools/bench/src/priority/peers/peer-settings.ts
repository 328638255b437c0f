import type { Priority } from '@commservice/contracts';
import type { KafkaPeer, PeerMode } from '../mode.js';

/** What one peer process is started with, as JSON. */
export interface PeerSettings {
  readonly mode: PeerMode;
  /** Its name in the sandbox's log. */
  readonly pod: string;
  /** Topic of each class at the Kafka peers; the others have one queue for all. */
  readonly topics: Readonly<Record<Priority, string>>;
  readonly broker: string;
  readonly redis: string;
  /** URL of RabbitMQ; absent where the mode needs none. */
  readonly rabbit?: string;
  readonly sandbox: string;
  readonly account: string;
  readonly ratePerSecond: number;
}

/** The value of a peer's record or job. */
export interface PeerMessage {
  readonly id: string;
  readonly priority: Priority;
  readonly to: { readonly phone: string };
  readonly content: { readonly text: string };
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** As many as the lanes of our own topics have. */
export const PARTITIONS = 6;
/** Calls in the air of one consumer. */
export const SLOTS = 8;

/** The topics or the queue of a mode: one for all classes, or one for each. */
export function peerTopics(mode: PeerMode): Readonly<Record<Priority, string>> {
  const name = (of: string): string => `bench.priority.${mode}.${of}`;
  switch (mode) {
    case 'fifo':
    case 'partitions':
    case 'bullmq':
    case 'bullmq-limiter':
    case 'rabbitmq':
      return { P1: name('all'), P2: name('all'), P3: name('all') };
    case 'topics':
    case 'original':
      return { P1: name('p1'), P2: name('p2'), P3: name('p3') };
  }
}

const BY_CLASS: Readonly<Record<Priority, readonly number[]>> = { P1: [0, 1], P2: [2, 3], P3: [4, 5] };

/** The partitions that belong to a class; undefined where the key decides. */
export function partitionsOf(mode: KafkaPeer, priority: Priority): readonly number[] | undefined {
  return mode === 'partitions' ? BY_CLASS[priority] : undefined;
}

/** Most records that are run to their end in one go; in the original design its batch sizes. */
export function batchSizeOf(mode: PeerMode, priority: Priority | undefined): number {
  if (mode !== 'original' || priority === undefined) return Infinity;
  return { P1: Infinity, P2: 50, P3: 1_000 }[priority];
}
