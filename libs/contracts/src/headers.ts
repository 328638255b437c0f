/** Record headers. `traceparent` and `tracestate` are the only ones a client may bring. */
export const HEADER = {
  traceparent: 'traceparent',
  tracestate: 'tracestate',
  id: 'x-cs-id',
  priority: 'x-cs-priority',
  /** Epoch milliseconds as decimal text. */
  expiresAt: 'x-cs-expires-at',
  /** Failed attempts so far, decimal text; absent = 0. */
  attempt: 'x-cs-attempt',
  /** `message.v1`: name and major version of the value's schema. */
  schema: 'x-cs-schema',
  /** `<generation>:<jobId>`, set only by dlq-redrive. */
  redrive: 'x-cs-redrive',
} as const;

/** Headers of a record as text; every one of ours is UTF-8. */
export type TextHeaders = Readonly<Record<string, string>>;

/** The redrive generation of a record: 0 for one that was never replayed. */
export function redriveGeneration(header: string | undefined): number {
  const n = Number.parseInt(header ?? '0', 10);
  return Number.isSafeInteger(n) && n > 0 ? n : 0;
}

/** The traceId (32 hex digits) of a W3C `traceparent`, or undefined when it is not well formed. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  const m = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(traceparent ?? '');
  return m && !/^0+$/.test(m[1] as string) ? m[1] : undefined;
}
