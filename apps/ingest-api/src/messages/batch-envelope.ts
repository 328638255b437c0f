import { fault, pointerTo } from '@commservice/accept';
import { BATCH_MAX_ITEMS, type FieldError } from '@commservice/contracts';

/** Most unknown fields that are named. */
const MAX_UNKNOWN = 20;

export type Envelope =
  { kind: 'items'; items: readonly unknown[] } | { kind: 'faulty'; faults: FieldError[] };

/** The items of a batch body, unread; or what is wrong with the body around them. */
export function readEnvelope(body: unknown): Envelope {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { kind: 'faulty', faults: [fault('', 'body_not_object')] };
  }
  const faults: FieldError[] = [];
  const unknown = Object.keys(body).filter((key) => key !== 'messages');
  for (const key of unknown.slice(0, MAX_UNKNOWN)) faults.push(fault(pointerTo('', key), 'unknown_field'));
  const items = Object.hasOwn(body, 'messages') ? (body as { messages: unknown }).messages : undefined;
  if (items === undefined) faults.push(fault('/messages', 'required'));
  else if (!Array.isArray(items)) faults.push(fault('/messages', 'wrong_type'));
  else if (items.length === 0) faults.push(fault('/messages', 'empty'));
  else if (items.length > BATCH_MAX_ITEMS) faults.push(fault('/messages', 'too_many_entries'));
  else if (faults.length === 0) return { kind: 'items', items };
  return { kind: 'faulty', faults };
}
