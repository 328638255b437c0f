import type { TextHeaders } from '@commservice/contracts';

/** A record as it was fetched: the part of it that batch safety reads. Structurally what libs/kafka hands out. */
export interface SourceRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: TextHeaders;
  /** Epoch ms. */
  readonly timestamp: number;
}

/** A record to be produced. Structurally what libs/kafka takes. */
export interface OutgoingRecord {
  readonly topic: string;
  readonly key: Buffer;
  readonly value: Buffer | null;
  readonly headers: TextHeaders;
  /** Where it is fixed; absent = the partition follows from the key. */
  readonly partition?: number;
}
