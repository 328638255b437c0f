import { createHash } from 'node:crypto';
import { laneOfDeadLetterTopic, readDeadLetter } from '@commservice/batch-safety';
import { HEADER, KIP_1191, redriveGeneration, traceIdOf, type TextHeaders } from '@commservice/contracts';
import type { FetchedRecord } from '@commservice/kafka';
import type { DeadLetter } from '@commservice/postgres';

const MAX_INTEGER = 2 ** 31 - 1;
/** The last millisecond of the year 9999. */
const MAX_EPOCH_MS = 253_402_300_799_999;
const MAX_TEXT = 256;

const short = (text: string | undefined): string | undefined => text?.slice(0, MAX_TEXT);
const count = (n: number): number => Math.min(MAX_INTEGER, n);
const moment = (epochMs: number): number => Math.min(MAX_EPOCH_MS, Math.max(0, epochMs));

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Identifies a record whose headers do not: the same record gives the same id. */
function idOfPlace({ topic, partition, offset }: FetchedRecord): string {
  return createHash('sha256').update(`${topic}\0${partition}\0${offset}`).digest('hex').slice(0, 32);
}

/** What the record's own headers say of the message. */
function messageFields(headers: TextHeaders) {
  const expiresAt = numberOf(headers[HEADER.expiresAt]);
  const deliveryCount = numberOf(headers[KIP_1191.deliveryCount]);
  return {
    messageId: short(headers[HEADER.id]),
    traceId: traceIdOf(headers[HEADER.traceparent]),
    generation: count(redriveGeneration(headers[HEADER.redrive])),
    ...(expiresAt === undefined ? {} : { expiresAt: moment(expiresAt) }),
    ...(deliveryCount === undefined ? {} : { deliveryCount: count(deliveryCount) }),
  };
}

/**
 * The index row of a record on a `dlq.*` or `parked.*` topic: coordinates and context, never key or value. A record whose
 * headers are malformed becomes an `unreadable` row; never throws.
 */
export function indexEntry(record: FetchedRecord): DeadLetter {
  const { topic, partition, offset: recordOffset, headers } = record;
  const place = { topic, partition, recordOffset, laneTopic: topic.replace(/^(dlq|parked)\./, '') };
  const lane = laneOfDeadLetterTopic(topic);
  const common = { ...place, ...lane, ...messageFields(headers), valueBytes: record.value?.length ?? 0 };
  const read = readDeadLetter(record);
  if (read.kind === 'unreadable') {
    const failedAt = moment(record.timestamp);
    return {
      ...common,
      id: idOfPlace(record),
      state: 'unreadable',
      failedAt,
      fault: read.fault.slice(0, 1024),
    };
  }
  const d = read.deadLetter;
  return {
    ...common,
    id: d.id,
    state: topic.startsWith('parked.') ? 'parked' : 'dead',
    brand: lane?.brand ?? short(d.brand),
    originalTopic: short(d.source.topic),
    originalPartition: count(d.source.partition),
    originalOffset: d.source.offset,
    originalGroup: short(d.group),
    ...{ stage: d.stage, class: d.class, disposition: d.disposition, fingerprint: d.fingerprint },
    ...{
      code: short(d.code),
      account: short(d.account),
      build: short(d.build),
      detail: d.message.slice(0, 1024),
    },
    attempts: count(d.attempts),
    failedAt: moment(d.failedAt),
    originalAt: moment(d.originalTimestamp),
  };
}
