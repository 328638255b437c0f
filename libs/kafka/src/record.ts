import type { TextHeaders } from '@commservice/contracts';

/** One record as fetched from a topic. Identity = topic, partition, offset. */
export interface FetchedRecord {
  readonly topic: string;
  readonly partition: number;
  /** Safe as a number: 2^53 records would take 190 years at 1 500 000/s. */
  readonly offset: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  /** UTF-8 text; the last value wins where a header was repeated. */
  readonly headers: TextHeaders;
  /** Broker or producer timestamp, epoch ms. */
  readonly timestamp: number;
  /** Key plus value plus headers, in bytes: what a bounded queue counts. */
  readonly bytes: number;
  /**
   * True when the record was at or past the partition's end when this pod was assigned it, and ownership has not lapsed
   * since: no other pod can ever have had it. May turn false while the record waits.
   */
  readonly fresh: boolean;
}

/** What a record becomes on its way to the broker. */
export interface OutgoingRecord {
  readonly topic: string;
  /** Required: every record has a key, and the partition follows from it. */
  readonly key: string | Buffer;
  readonly value: string | Buffer | null;
  readonly headers?: TextHeaders;
  /** Overrides murmur2(key) mod n; dead letters keep their source's partition. */
  readonly partition?: number;
}

/** What became of one produced record. */
export type ProduceResult =
  | { kind: 'acked'; partition: number }
  /** Certainly not on the topic: never left this process, or refused. */
  | { kind: 'not-stored'; reason: string }
  /** The acknowledgement was lost: it may or may not be on the topic. */
  | { kind: 'unknown'; reason: string };
