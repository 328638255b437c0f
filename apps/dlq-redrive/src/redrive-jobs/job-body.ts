import type { RedriveJob } from '@commservice/postgres';
import { isoOf } from '../dead-letters/dead-letter-body.js';
import type { RedriveJobBody } from './schemas.js';

/** A job as the API shows it. */
export function jobBody(job: RedriveJob): RedriveJobBody {
  const { counters, createdAt, startedAt, finishedAt, ...rest } = job;
  const self = `/v1/redrive-jobs/${job.id}`;
  return {
    ...rest,
    counters: { ...counters, skipped: { ...counters.skipped } },
    progress: counters.selected === 0 ? 1 : (counters.selected - counters.pending) / counters.selected,
    createdAt: isoOf(createdAt),
    ...(startedAt === undefined ? {} : { startedAt: isoOf(startedAt) }),
    ...(finishedAt === undefined ? {} : { finishedAt: isoOf(finishedAt) }),
    links: { self, cancel: `${self}/cancel` },
  };
}
