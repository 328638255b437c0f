/** Our own short codes for what happened on the wire; vendors' codes are theirs. */
export const WIRE_CODES = [
  'connection_refused',
  'connection_failed',
  'dns_failed',
  'tls_failed',
  'connect_timeout',
  'timeout',
  'aborted',
  'expired',
  'draining',
  'no_connection',
  'unsendable',
  'connection_lost',
] as const;
export type WireCode = (typeof WIRE_CODES)[number];

/** What one exchange came to. */
export type Answer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter?: string;
      /** Undefined when it was cut off or larger than the bound. */
      readonly body?: Buffer;
    }
  /** No byte of the request left. */
  | { readonly kind: 'not-sent'; readonly code: WireCode }
  /** Bytes left and no answer came. */
  | { readonly kind: 'lost'; readonly code: WireCode };

const CODES: Readonly<Record<string, WireCode>> = {
  ECONNREFUSED: 'connection_refused',
  ENOTFOUND: 'dns_failed',
  EAI_AGAIN: 'dns_failed',
  EAI_FAIL: 'dns_failed',
  ETIMEDOUT: 'connect_timeout',
  ERR_INVALID_CHAR: 'unsendable',
  ERR_UNESCAPED_CHARACTERS: 'unsendable',
  ERR_INVALID_HTTP_TOKEN: 'unsendable',
};

/** The wire code of a failure before anything was written, by its error code; never by its text. */
export function connectCode(error: unknown): WireCode {
  const code = (error as { code?: unknown } | null)?.code;
  if (error instanceof AggregateError) return connectCode(error.errors[0]);
  if (typeof code !== 'string') return 'connection_failed';
  if (code.startsWith('ERR_TLS') || code.startsWith('ERR_SSL') || code === 'EPROTO' || code.includes('CERT'))
    return 'tls_failed';
  return CODES[code] ?? 'connection_failed';
}
