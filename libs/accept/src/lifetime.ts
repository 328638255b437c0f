import { durationMs, MAX_TTL_MS, type Category, type FieldError } from '@commservice/contracts';
import { fault } from './faults.js';

const MIN_TTL_MS = 1000;

export type Lifetime = { kind: 'ttl'; ttlMs: number } | { kind: 'fault'; fault: FieldError };

/** How long a message may live: the category's default, or what the request asks for up to 72 h. */
export function lifetimeOf(ttl: string | undefined, category: Category): Lifetime {
  if (ttl === undefined) return { kind: 'ttl', ttlMs: Math.min(durationMs(category.ttl), MAX_TTL_MS) };
  const ttlMs = durationMs(ttl);
  if (!(ttlMs >= MIN_TTL_MS)) return { kind: 'fault', fault: fault('/ttl', 'ttl_too_short') };
  if (ttlMs > MAX_TTL_MS) return { kind: 'fault', fault: fault('/ttl', 'ttl_too_long') };
  return { kind: 'ttl', ttlMs };
}
