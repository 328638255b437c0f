import type { FieldError, Message, MessageEvent, Problem, TextHeaders } from '@commservice/contracts';
import { problemOf } from '@commservice/contracts';
import { FORBIDDEN_CODES } from './faults.js';
import type { LimitView } from './p1-ceiling.js';
import type { SmsParts } from './sms-parts.js';

/** A lane record, ready to be produced. */
export interface LaneRecord {
  readonly topic: string;
  readonly key: string;
  /** message.v1, JSON, at most 256 KiB. */
  readonly value: Buffer;
  readonly headers: TextHeaders;
}

/** What became of one request. Nothing has been sent anywhere yet. */
export type AcceptResult =
  | {
      readonly kind: 'accepted';
      readonly message: Message;
      readonly record: LaneRecord;
      /** The `accepted` event, to be written after the record's acknowledgement. */
      readonly event: MessageEvent;
      /** Set for sms. */
      readonly parts?: SmsParts | undefined;
      /** The limit it was counted against, if there is one. */
      readonly limit?: LimitView | undefined;
    }
  | {
      readonly kind: 'refused';
      /** 403 not allowed · 422 faulty · 429 limited · 503 not ready. */
      readonly status: 403 | 422 | 429 | 503;
      readonly problem: Problem;
      /** Set for 429 and 503. */
      readonly retryAfterMs?: number;
      readonly limit?: LimitView;
    };

export type Refused = Extract<AcceptResult, { kind: 'refused' }>;

/** The refusal for a list of faults: 403 when all of them say who may not, else 422. Pointers get `prefix`. */
export function refuse(faults: readonly FieldError[], prefix = ''): Refused {
  const errors =
    prefix === '' ? [...faults] : faults.map((f) => ({ ...f, pointer: `${prefix}${f.pointer}` }));
  const forbidden = errors.every((e) => FORBIDDEN_CODES.has(e.code));
  const problem = forbidden
    ? problemOf('forbidden', 403, 'The key, or its team, may not do this', { errors })
    : problemOf(
        'invalid-request',
        422,
        `${errors.length} ${errors.length === 1 ? 'rule is' : 'rules are'} broken; see errors`,
        { errors },
      );
  return { kind: 'refused', status: forbidden ? 403 : 422, problem };
}

/** The refusal for a limit that is met. */
export function refuseLimited(view: LimitView, retryAfterMs: number): Refused {
  const problem = problemOf('rate-limited', 429, `The limit ${view.name} is reached`, {
    limitName: view.name,
    retryAfterSeconds: Math.ceil(retryAfterMs) / 1000,
  });
  return { kind: 'refused', status: 429, problem, retryAfterMs, limit: view };
}

/** The refusal while the platform cannot take the message through no fault of the sender. */
export function refuseUnavailable(detail: string, retryAfterMs: number): Refused {
  const problem = problemOf('unavailable', 503, detail, {
    retryAfterSeconds: Math.ceil(retryAfterMs) / 1000,
  });
  return { kind: 'refused', status: 503, problem, retryAfterMs };
}
