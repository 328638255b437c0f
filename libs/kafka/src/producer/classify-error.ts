/** What a rejected send tells about its records. */
export type SendFault =
  /** The broker never had the request, or answered that it did not store it; the same records may be sent again. */
  | { kind: 'not-stored'; retriable: boolean; reason: string }
  /** The request may have been stored: its answer was lost. */
  | { kind: 'unknown'; reason: string };

interface KafkaJsError {
  readonly name?: string;
  readonly type?: string;
  readonly code?: string;
  readonly message?: string;
  readonly cause?: unknown;
}

/**
 * Answers to a produce request by which the broker says that it did not append. Only they are certain: after any other fault
 * kafkajs connects or reads metadata again before it rejects, and that call's error (ECONNREFUSED, LEADER_NOT_AVAILABLE …)
 * hides the first one, whose request may have been on the wire.
 */
const REFUSED_FOR_NOW = new Set(['NOT_LEADER_FOR_PARTITION', 'NOT_ENOUGH_REPLICAS']);
const REFUSED_FOR_GOOD = new Set([
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'CORRUPT_MESSAGE',
  'INVALID_RECORD',
  'TOPIC_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
]);

function rootOf(error: KafkaJsError): KafkaJsError {
  let root = error;
  for (let depth = 0; depth < 8 && root.cause && typeof root.cause === 'object'; depth++) root = root.cause;
  return root;
}

/** Classifies what a kafkajs send rejected with. Whatever is not known to be certain is `unknown`. */
export function classifySendError(error: unknown): SendFault {
  const root = rootOf(error ?? {});
  const type = root.type ?? '';
  const reason = root.type ?? root.code ?? root.name ?? 'send failed';
  if (REFUSED_FOR_NOW.has(type)) return { kind: 'not-stored', retriable: true, reason };
  if (REFUSED_FOR_GOOD.has(type)) return { kind: 'not-stored', retriable: false, reason };
  return { kind: 'unknown', reason };
}
