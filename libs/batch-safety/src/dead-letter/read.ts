import {
  DLQ_HEADER,
  KIP_1191,
  dispositionSchema,
  failureClassSchema,
  failureStageSchema,
  laneFromTopic,
  type Lane,
} from '@commservice/contracts';
import { z } from 'zod';
import type { SourceRecord } from '../record.js';
import type { ReadDeadLetter } from './dead-letter.js';

const count = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

const headersSchema = z.object({
  [KIP_1191.topic]: z.string().min(1),
  [KIP_1191.partition]: count,
  [KIP_1191.offset]: count,
  [KIP_1191.group]: z.string().min(1),
  [KIP_1191.message]: z.string().default(''),
  [DLQ_HEADER.v]: z.literal('1'),
  [DLQ_HEADER.id]: z.string().regex(/^[0-9a-f]{32}$/),
  [DLQ_HEADER.disposition]: dispositionSchema,
  [DLQ_HEADER.stage]: failureStageSchema,
  [DLQ_HEADER.class]: failureClassSchema,
  [DLQ_HEADER.code]: z.string(),
  [DLQ_HEADER.fingerprint]: z.string().regex(/^[0-9a-f]{16}$/),
  [DLQ_HEADER.attempts]: count,
  [DLQ_HEADER.failedAt]: count,
  [DLQ_HEADER.build]: z.string().default(''),
  [DLQ_HEADER.brand]: z.string().optional(),
  [DLQ_HEADER.account]: z.string().optional(),
  [DLQ_HEADER.originalTimestamp]: count,
});

/** The lane whose dead letters or parked records this topic holds, or undefined for any other topic. */
export function laneOfDeadLetterTopic(topic: string): Lane | undefined {
  const m = /^(?:dlq|parked)\.(.+)$/.exec(topic);
  return m ? laneFromTopic(m[1] as string) : undefined;
}

/** Reads the error context of a dead letter. Foreign or malformed records are `unreadable`; never throws. */
export function readDeadLetter(record: Pick<SourceRecord, 'topic' | 'headers'>): ReadDeadLetter {
  const lane = laneOfDeadLetterTopic(record.topic);
  if (!lane) return { kind: 'unreadable', fault: 'the topic is no dead-letter topic' };
  const parsed = headersSchema.safeParse(record.headers);
  if (!parsed.success) {
    const names = parsed.error.issues.map((i) => i.path.join('.'));
    return { kind: 'unreadable', fault: `missing or malformed: ${[...new Set(names)].join(', ')}` };
  }
  const h = parsed.data;
  return {
    kind: 'dead-letter',
    deadLetter: {
      id: h[DLQ_HEADER.id],
      source: { topic: h[KIP_1191.topic], partition: h[KIP_1191.partition], offset: h[KIP_1191.offset] },
      group: h[KIP_1191.group],
      lane,
      disposition: h[DLQ_HEADER.disposition],
      stage: h[DLQ_HEADER.stage],
      class: h[DLQ_HEADER.class],
      code: h[DLQ_HEADER.code],
      message: h[KIP_1191.message],
      fingerprint: h[DLQ_HEADER.fingerprint],
      attempts: h[DLQ_HEADER.attempts],
      failedAt: h[DLQ_HEADER.failedAt],
      build: h[DLQ_HEADER.build],
      brand: h[DLQ_HEADER.brand],
      account: h[DLQ_HEADER.account],
      originalTimestamp: h[DLQ_HEADER.originalTimestamp],
    },
  };
}
