import { HEADER, laneTopic } from '@commservice/contracts';
import type { OutgoingRecord, SourceRecord } from '../record.js';
import { withoutDeadLetterHeaders } from './build.js';
import { laneOfDeadLetterTopic } from './read.js';

/** Which replay puts the record back. */
export interface Replay {
  /** ≥ 1, and above that of every earlier replay of the record. */
  readonly generation: number;
  readonly jobId: string;
}

export type Restored = { kind: 'restored'; record: OutgoingRecord } | { kind: 'unreadable'; fault: string };

/**
 * The record a dead letter was made of, for its original lane topic: key and value byte for byte, its own headers,
 * attempts counted from zero again, marked with the replay. The topic decides the lane, not a header.
 */
export function restoreOriginal(
  record: Pick<SourceRecord, 'topic' | 'key' | 'value' | 'headers'>,
  replay: Replay,
): Restored {
  const lane = laneOfDeadLetterTopic(record.topic);
  if (!lane) return { kind: 'unreadable', fault: 'the topic is no dead-letter topic' };
  if (record.key === null) return { kind: 'unreadable', fault: 'the record has no key' };
  const headers = withoutDeadLetterHeaders(record.headers);
  delete headers[HEADER.attempt];
  headers[HEADER.redrive] = `${replay.generation}:${replay.jobId}`;
  return {
    kind: 'restored',
    record: { topic: laneTopic(lane), key: record.key, value: record.value, headers },
  };
}
