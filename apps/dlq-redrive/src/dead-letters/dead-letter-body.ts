import type { DeadLetter, DeadLetterFilter } from '@commservice/postgres';
import type { DeadLetterBody, FilterInput } from './schemas.js';

export const isoOf = (epochMs: number): string => new Date(epochMs).toISOString();

/** The store's filter of a validated request. */
export function filterOf({ failedFrom, failedTo, ...fields }: FilterInput): DeadLetterFilter {
  return {
    ...fields,
    ...(failedFrom === undefined ? {} : { failedFrom: Date.parse(failedFrom) }),
    ...(failedTo === undefined ? {} : { failedTo: Date.parse(failedTo) }),
  };
}

/** A dead letter as the API shows it. */
export function deadLetterBody(letter: DeadLetter, nowMs: number): DeadLetterBody {
  const { recordOffset, failedAt, expiresAt, redrivenAt, redriveJob, originalAt, ...rest } = letter;
  const {
    originalTopic,
    originalPartition,
    originalOffset,
    originalGroup,
    deliveryCount: _count,
    ...shown
  } = rest;
  const at = originalAt === undefined ? {} : { at: isoOf(originalAt) };
  const original =
    originalTopic === undefined
      ? {}
      : {
          original: {
            ...{ topic: originalTopic, partition: originalPartition ?? 0, offset: originalOffset ?? 0 },
            ...(originalGroup === undefined ? {} : { group: originalGroup }),
            ...at,
          },
        };
  return {
    ...shown,
    offset: recordOffset,
    failedAt: isoOf(failedAt),
    ...(expiresAt === undefined ? {} : { expiresAt: isoOf(expiresAt) }),
    expired: expiresAt !== undefined && expiresAt <= nowMs,
    ...original,
    ...(redriveJob === undefined ? {} : { redriveJob }),
    ...(redrivenAt === undefined ? {} : { redrivenAt: isoOf(redrivenAt) }),
    links: {
      self: `/v1/dead-letters/${letter.id}`,
      ...(redriveJob === undefined ? {} : { job: `/v1/redrive-jobs/${redriveJob}` }),
    },
  };
}
