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

/** Protocol answers by which the broker says that it did not append. */
const REFUSED_FOR_NOW = new Set([
  'NOT_LEADER_FOR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'UNKNOWN_TOPIC_OR_PARTITION',
  'NOT_ENOUGH_REPLICAS',
  'KAFKA_STORAGE_ERROR',
  'BROKER_NOT_AVAILABLE',
]);
const REFUSED_FOR_GOOD = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'CORRUPT_MESSAGE', 'INVALID_RECORD', 'TOPIC_AUTHORIZATION_FAILED', 'CLUSTER_AUTHORIZATION_FAILED', 'INVALID_TOPIC_EXCEPTION']);
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);
const BEFORE_SENDING = new Set(['KafkaJSBrokerNotFound', 'KafkaJSNoBrokerAvailableError', 'KafkaJSMetadataNotLoaded', 'KafkaJSTopicMetadataNotLoaded', 'KafkaJSLockTimeout']);

function rootOf(error: KafkaJsError): KafkaJsError {
  let root = error;
  for (let depth = 0; depth < 8 && root.cause && typeof root.cause === 'object'; depth++) root = root.cause as KafkaJsError;
  return root;
}

/** Classifies what a kafkajs send rejected with. Whatever is not known to be certain is `unknown`. */
export function classifySendError(error: unknown): SendFault {
  const root = rootOf((error ?? {}) as KafkaJsError);
  const reason = root.type ?? root.code ?? root.name ?? 'send failed';
  if (root.type !== undefined && REFUSED_FOR_NOW.has(root.type)) return { kind: 'not-stored', retriable: true, reason };
  if (root.type !== undefined && REFUSED_FOR_GOOD.has(root.type)) return { kind: 'not-stored', retriable: false, reason };
  if (NEVER_CONNECTED.has(root.code ?? '') || BEFORE_SENDING.has(root.name ?? '')) return { kind: 'not-stored', retriable: true, reason };
  if (root.name === 'KafkaJSConnectionError' && /connection timeout|ECONNREFUSED/i.test(root.message ?? '')) {
    return { kind: 'not-stored', retriable: true, reason };
  }
  return { kind: 'unknown', reason };
}
