import { attemptsOf } from '@commservice/batch-safety';
import {
  HEADER,
  decodeMessage,
  decodePayload,
  open,
  redriveGeneration,
  unreachable,
  type Failure,
  type FailureStage,
  type KeyRing,
  type Message,
} from '@commservice/contracts';
import type { FetchedRecord } from '@commservice/kafka';
import { continueTrace, formatTraceparent } from '@commservice/telemetry';
import type { LaneItem } from '../lane-item.js';

export type Prepared =
  | { kind: 'item'; item: LaneItem }
  /** The record can never be sent. `message` is there when only its content could not be opened. */
  | { kind: 'poison'; failure: Failure; message?: Message }
  /** Sealed under a data key that this pod has not loaded yet. */
  | { kind: 'key-missing'; keyId: string; message: Message }
  /** Written by a newer major version: this build is too old, the lane must wait for a newer one. */
  | { kind: 'unknown-schema'; schema: string };

const poison = (stage: FailureStage, code: string, detail: string, message?: Message): Prepared => ({
  kind: 'poison',
  failure: { stage, class: 'record-fault', code, detail },
  ...(message ? { message } : {}),
});

const keyIdOf = (sealed: string): string => sealed.split('.')[2] ?? '';

/** Decodes a record and opens its content. Pure; never throws. */
export function prepare(record: FetchedRecord, keys: Pick<KeyRing, 'byId'>, waitingSince: number): Prepared {
  const decoded = decodeMessage(record.value, record.headers[HEADER.schema]);
  switch (decoded.kind) {
    case 'unknown-schema':
      return decoded;
    case 'unreadable':
      return poison(
        decoded.stage,
        decoded.stage === 'deserialize' ? 'not_json' : 'invalid_message',
        decoded.fault,
      );
    case 'message':
      return openMessage(record, decoded.message, keys, waitingSince);
    default:
      return unreachable(decoded);
  }
}

function openMessage(
  record: FetchedRecord,
  message: Message,
  keys: Pick<KeyRing, 'byId'>,
  waitingSince: number,
): Prepared {
  const opened = open(message.sealed, keys, message.id);
  switch (opened.kind) {
    case 'corrupt':
      return poison('unseal', 'seal_broken', 'the sealed content fails authentication', message);
    case 'sealed-forever':
      return { kind: 'key-missing', keyId: keyIdOf(message.sealed), message };
    case 'opened':
      break;
    default:
      return unreachable(opened);
  }
  const payload = decodePayload(message.channel, opened.text);
  if (!payload)
    return poison('unseal', 'invalid_payload', 'the sealed content does not fit its channel', message);
  const item: LaneItem = {
    record,
    message,
    address: payload.to,
    content: payload.content,
    generation: redriveGeneration(record.headers[HEADER.redrive]),
    attempts: attemptsOf(record.headers),
    traceparent: formatTraceparent(
      continueTrace(record.headers[HEADER.traceparent], record.headers[HEADER.tracestate]),
    ),
    waitingSince,
    claimedAt: 0,
    reservedMs: 0,
    order: 0,
    narrow: undefined,
    takenOver: false,
    route: 0,
    avoid: 0,
    returns: 0,
  };
  return { kind: 'item', item };
}

/** What a record becomes whose data key is gone for good. */
export const keyDropped = (message: Message): Prepared =>
  poison('unseal', 'key_dropped', 'the data key of this content was dropped', message);
