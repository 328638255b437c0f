import { PRIORITIES, priorityNumber, type Priority } from './channel.js';
import {
  RETRY_TIERS,
  deadLetterTopic,
  laneTopic,
  lanesOf,
  parkedTopic,
  retryTopic,
  type Lane,
  type PerBrand,
} from './lane.js';

/** How large topics are made: `dev` for one machine, `production` as a start value. */
export type TopicProfile = 'dev' | 'production';

/** One topic as it must exist on the broker. */
export interface TopicSpec {
  readonly name: string;
  readonly partitions: number;
  readonly retentionMs: number;
  /** Largest record batch the topic takes, in bytes. */
  readonly maxMessageBytes: number;
}

const DAY_MS = 86_400_000;
const KIB = 1024;
const PARTITIONS: Record<TopicProfile, { lane: number; retry: number }> = {
  dev: { lane: 6, retry: 3 },
  production: { lane: 24, retry: 12 },
};

/** A lane's topics are kept this long; it must exceed the longest TTL by a day. */
export const LANE_RETENTION_MS = 10 * DAY_MS;
/** Largest value of a record: message.v1 JSON. */
export const MAX_RECORD_BYTES = 256 * KIB;
/** Room for one batch on a lane topic: many records, or one of the largest. */
export const LANE_MAX_BATCH_BYTES = 1024 * KIB;
/** A dead letter is its record plus ≤ 64 KiB of context. */
export const DEAD_LETTER_MAX_BATCH_BYTES = LANE_MAX_BATCH_BYTES + 64 * KIB;

/** `commservice.events.priority<n>`: the status events of a class, keyed by message id. */
export function eventsTopic(priority: Priority): string {
  return `commservice.events.priority${priorityNumber(priority)}`;
}

/** The status-projector's consumer group for one class. */
export function projectorGroup(priority: Priority): string {
  return `commservice.status-projector.p${priorityNumber(priority)}`;
}

/** dlq-redrive's consumer group that indexes every dead letter. */
export const DEAD_LETTER_INDEX_GROUP = 'commservice.dlq-redrive.index';

function topicsOfLane(lane: Lane, size: { lane: number; retry: number }): TopicSpec[] {
  const spec = (name: string, partitions: number, days: number, maxMessageBytes: number): TopicSpec => ({
    name,
    partitions,
    retentionMs: days * DAY_MS,
    maxMessageBytes,
  });
  return [
    spec(laneTopic(lane), size.lane, 10, LANE_MAX_BATCH_BYTES),
    ...RETRY_TIERS[lane.priority].map((t) =>
      spec(retryTopic(lane, t.name), size.retry, 10, LANE_MAX_BATCH_BYTES),
    ),
    spec(deadLetterTopic(lane), size.lane, 14, DEAD_LETTER_MAX_BATCH_BYTES),
    spec(parkedTopic(lane), size.lane, 90, DEAD_LETTER_MAX_BATCH_BYTES),
  ];
}

/**
 * Every topic of the platform: the one list that creates and checks them (tools/topics).
 * @param brands brands of the catalogue, used where a channel has a topic per brand
 */
export function allTopics(brands: readonly string[], perBrand: PerBrand, profile: TopicProfile): TopicSpec[] {
  const size = PARTITIONS[profile];
  return [
    ...lanesOf(brands, perBrand).flatMap((lane) => topicsOfLane(lane, size)),
    ...PRIORITIES.map((priority) => ({
      name: eventsTopic(priority),
      partitions: size.lane,
      retentionMs: 10 * DAY_MS,
      maxMessageBytes: LANE_MAX_BATCH_BYTES,
    })),
  ];
}
