/** Our own dispatchers, by the mutex mode of their catalogue. */
export const OWN_MODES = ['contention', 'strict', 'noop'] as const;
export type OwnMode = (typeof OWN_MODES)[number];

/** Small dispatchers of this bench that read Kafka, each as a design that is in use elsewhere. */
export const KAFKA_PEERS = ['topics', 'partitions', 'fifo', 'original'] as const;
export type KafkaPeer = (typeof KAFKA_PEERS)[number];

/** The same sends behind a queue that knows priorities itself. */
export const QUEUE_PEERS = ['bullmq', 'bullmq-limiter', 'rabbitmq'] as const;
export type QueuePeer = (typeof QUEUE_PEERS)[number];

export type PeerMode = KafkaPeer | QueuePeer;
export type Mode = OwnMode | PeerMode;
export const MODES: readonly Mode[] = [...OWN_MODES, ...KAFKA_PEERS, ...QUEUE_PEERS];

export const isOwn = (mode: Mode): mode is OwnMode => (OWN_MODES as readonly string[]).includes(mode);

/** What each mode is, for people. */
export const MEANING: Readonly<Record<Mode, string>> = {
  contention: 'ours: lower classes stop only while a higher one waits too long; the reserve is lent',
  strict: 'ours: lower classes stop while a higher one is active',
  noop: 'ours without the mutex: only the tokens know the classes',
  topics: 'a topic and a group for each class, one shared token bucket, no mutex',
  partitions: 'one topic, partitions by class, one group',
  fifo: 'one topic for all classes, 8 at a time',
  original: 'a topic for each class and a mutex that is looked at before each batch',
  bullmq: 'BullMQ, one queue with priorities, 8 jobs at a time, one shared token bucket',
  'bullmq-limiter': "the same with BullMQ's own limiter in place of the bucket",
  rabbitmq: 'RabbitMQ, one classic queue with priorities, prefetch 8, one shared token bucket',
};
