import type { AcceptResult, LimitView, Refused } from '@commservice/accept';
import { problemOf, type AcceptedResponse, type Problem } from '@commservice/contracts';
import { retryAfter, type ReplyHeaders } from '../http/http-problem.js';
import type { Published } from '../publish/lane-publisher.js';

/** How soon a client should try again when the broker did not take a message, ms. */
export const BROKER_RETRY_MS = 1000;

export type Accepted = Extract<AcceptResult, { kind: 'accepted' }>;

export const linksOf = (id: string): { self: string; events: string } => ({
  self: `/v1/messages/${id}`,
  events: `/v1/messages/${id}/events`,
});

/** The body of a 202. */
export function acceptedBody({ message: m, parts }: Accepted): AcceptedResponse {
  return {
    id: m.id,
    status: 'accepted',
    reference: m.reference,
    channel: m.channel,
    brand: m.brand,
    category: m.category,
    priority: m.priority,
    units: m.units,
    sms: parts,
    acceptedAt: new Date(m.acceptedAt).toISOString(),
    expiresAt: new Date(m.expiresAt).toISOString(),
    links: linksOf(m.id),
  };
}

/** The problem for a message that did not reach its topic for certain. */
export function unpublished(published: Exclude<Published, { kind: 'stored' }>): Problem {
  const more = { retryAfterSeconds: BROKER_RETRY_MS / 1000 };
  if (published.kind === 'unknown') {
    const detail =
      'The acknowledgement was lost: the message may be sent all the same. Repeat it with an Idempotency-Key';
    return problemOf('unavailable', 503, detail, more);
  }
  const detail =
    published.reason === 'overloaded'
      ? 'Too many messages wait to be stored; nothing was kept'
      : 'The message could not be stored; nothing was kept';
  return problemOf('unavailable', 503, detail, more);
}

/** `RateLimit` headers (IETF draft) for a token bucket: its size, the time to fill it, and what is left. */
export function limitHeaders(limit: LimitView | undefined): ReplyHeaders {
  if (!limit) return {};
  const seconds = (tokens: number): number => Math.ceil(tokens / limit.perSecond);
  return {
    'ratelimit-policy': `"${limit.name}";q=${limit.burst};w=${seconds(limit.burst)}`,
    ratelimit: `"${limit.name}";r=${limit.remaining};t=${seconds(limit.burst - limit.remaining)}`,
  };
}

/** Headers of a refusal. */
export const refusalHeaders = (refused: Refused): ReplyHeaders => ({
  ...limitHeaders(refused.limit),
  ...(refused.retryAfterMs === undefined ? {} : retryAfter(refused.retryAfterMs)),
});

/** Short code of a problem for metrics: its first fault, or its type. */
export const metricCode = (problem: Problem): string =>
  problem.errors?.[0]?.code ?? problem.limitName ?? problem.type.slice('/problems/'.length);
