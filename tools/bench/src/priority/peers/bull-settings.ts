import type { Priority } from '@commservice/contracts';
import type { JobsOptions, RateLimiterOptions } from 'bullmq';

/** One window of BullMQ's own limiter, ms: short, so that its burst is that of the shared bucket. */
const LIMITER_WINDOW_MS = 100;

/** 1 goes first. Every job has one: a job without a priority goes before all that have one. */
const BULL_PRIORITY: Readonly<Record<Priority, number>> = { P1: 1, P2: 2, P3: 3 };

/** How a message of a class becomes a job; what is done is forgotten. */
export const jobOptions = (priority: Priority): JobsOptions => ({
  priority: BULL_PRIORITY[priority],
  removeOnComplete: true,
});

/** Host and port of a Redis URL; BullMQ asks for commands that are repeated without end. */
export function bullConnection(url: string): { host: string; port: number; maxRetriesPerRequest: null } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port || 6379), maxRetriesPerRequest: null };
}

/** R as BullMQ's limiter takes it: whole jobs in a window, which grows where R is low. */
export function bullLimiter(ratePerSecond: number): RateLimiterOptions {
  const max = Math.max(1, Math.floor((ratePerSecond * LIMITER_WINDOW_MS) / 1000));
  return { max, duration: Math.round((max / ratePerSecond) * 1000) };
}
