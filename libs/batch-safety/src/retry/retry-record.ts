import {
  HEADER,
  RETRY_TIERS,
  laneFromTopic,
  retryTopic,
  type Lane,
  type RetryTier,
  type TextHeaders,
} from '@commservice/contracts';
import type { OutgoingRecord, SourceRecord } from '../record.js';

/** Failed attempts a record has behind it, 0 when its header is absent or malformed. */
export function attemptsOf(headers: TextHeaders): number {
  const text = headers[HEADER.attempt];
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : 0;
}

/** The same key, value and headers in the lane's own retry topic, with the attempts counted in the header. */
export function buildRetryRecord(
  record: SourceRecord & { readonly key: Buffer },
  lane: Lane,
  tier: RetryTier,
  attempts: number,
): OutgoingRecord {
  return {
    topic: retryTopic(lane, tier.name),
    key: record.key,
    value: record.value,
    headers: { ...record.headers, [HEADER.attempt]: String(attempts) },
  };
}

/** Lane and tier of a retry topic, or undefined for any other topic. */
export function retryTierOf(topic: string): { lane: Lane; tier: RetryTier } | undefined {
  const at = topic.lastIndexOf('.retry.');
  const lane = at < 0 ? undefined : laneFromTopic(topic.slice(0, at));
  const tier = lane && RETRY_TIERS[lane.priority].find((t) => t.name === topic.slice(at + '.retry.'.length));
  return lane && tier ? { lane, tier } : undefined;
}

/**
 * Epoch ms at which a record of a retry topic may be tried again: its timestamp plus the tier's delay. All records of
 * a tier wait equally long, so a partition is in order of due times and its head is always the next one due.
 */
export const dueAt = (record: Pick<SourceRecord, 'timestamp'>, tier: RetryTier): number =>
  record.timestamp + tier.delayMs;
