/** The six header names of KIP-1191, verbatim, so that generic tools read our dead letters. UTF-8 text. */
export const KIP_1191 = {
  topic: '__dlq.errors.topic',
  partition: '__dlq.errors.partition',
  offset: '__dlq.errors.offset',
  group: '__dlq.errors.group',
  deliveryCount: '__dlq.errors.delivery.count',
  message: '__dlq.errors.message',
} as const;

/** Our own headers on a dead letter, UTF-8 text, one value each. */
export const DLQ_HEADER = {
  v: 'x-cs-dlq-v',
  /** First 16 bytes (hex) of SHA-256(topic, partition, offset, group, stage): the same failure twice is one. */
  id: 'x-cs-dlq-id',
  disposition: 'x-cs-dlq-disposition',
  stage: 'x-cs-dlq-stage',
  class: 'x-cs-dlq-class',
  code: 'x-cs-dlq-code',
  fingerprint: 'x-cs-dlq-fingerprint',
  attempts: 'x-cs-dlq-attempts',
  /** Epoch ms. */
  failedAt: 'x-cs-dlq-failed-at',
  build: 'x-cs-dlq-build',
  brand: 'x-cs-dlq-brand',
  account: 'x-cs-dlq-account',
  /** Timestamp of the original record, epoch ms. */
  originalTimestamp: 'x-cs-dlq-original-timestamp',
} as const;

/** Prefixes that only our own dead-letter producer may write; stripped from any record before it is dead-lettered. */
export const DLQ_PREFIXES = ['__dlq.errors.', 'x-cs-dlq-'] as const;

export const isDeadLetterHeader = (name: string): boolean => DLQ_PREFIXES.some((p) => name.startsWith(p));
