import { randomBytes } from 'node:crypto';

/** W3C trace context, version 00. Only ids travel through Kafka; spans are made at either end. */
export interface TraceContext {
  /** 32 lower-case hex digits, not all zero. */
  readonly traceId: string;
  /** 16 lower-case hex digits, not all zero: the span that caused what follows. */
  readonly spanId: string;
  readonly sampled: boolean;
  /** Vendors' list, passed on unchanged; absent when there is none. */
  readonly tracestate?: string;
}

/** Fills a buffer of `size` random bytes; injected in tests. */
export type RandomBytes = (size: number) => Buffer;

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ZEROS = /^0+$/;
/** A simple or multi-tenant key, `=`, printable text without comma and equals sign. */
const STATE_MEMBER =
  /^[a-z0-9][a-z0-9_*/-]{0,255}(@[a-z][a-z0-9_*/-]{0,13})?=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}$/;
/** Most members of a tracestate, and most characters we carry of it. */
const MAX_STATE_MEMBERS = 32;
const MAX_STATE_LENGTH = 512;

/** A new trace, sampled unless told otherwise. */
export function newTrace(random: RandomBytes = randomBytes, sampled = true): TraceContext {
  return { traceId: id(16, random), spanId: id(8, random), sampled };
}

/**
 * Reads a client's or record's headers; undefined when `traceparent` is missing or malformed (then begin a new trace).
 * An invalid or over-long `tracestate` is dropped and the trace kept, as the standard asks.
 */
export function parseTraceparent(
  traceparent: string | undefined,
  tracestate?: string,
): TraceContext | undefined {
  const m = TRACEPARENT.exec(traceparent ?? '');
  if (!m) return undefined;
  const [, version, traceId, spanId, flags, rest] = m as unknown as [
    string,
    string,
    string,
    string,
    string,
    string?,
  ];
  // ff is forbidden; version 00 ends after the flags; later versions may append fields
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  const sampled = (Number.parseInt(flags, 16) & 1) === 1;
  const state = parseTracestate(tracestate);
  return { traceId, spanId, sampled, ...(state === undefined ? {} : { tracestate: state }) };
}

/** A valid `tracestate` in one line, or undefined. */
export function parseTracestate(tracestate: string | undefined): string | undefined {
  if (tracestate === undefined || tracestate.length > MAX_STATE_LENGTH) return undefined;
  const members = tracestate
    .split(',')
    .map((m) => m.trim())
    .filter((m) => m !== '');
  if (members.length === 0 || members.length > MAX_STATE_MEMBERS) return undefined;
  const keys = new Set(members.map((m) => m.slice(0, m.indexOf('='))));
  return members.every((m) => STATE_MEMBER.test(m)) && keys.size === members.length
    ? members.join(',')
    : undefined;
}

/** The next step of a trace: same trace, flags and state, a new span id. */
export function childOf(parent: TraceContext, random: RandomBytes = randomBytes): TraceContext {
  return { ...parent, spanId: id(8, random) };
}

/** Goes on with the trace of a request's headers, or begins a new one. Never throws. */
export function continueTrace(
  traceparent: string | undefined,
  tracestate?: string,
  random?: RandomBytes,
): TraceContext {
  const parent = parseTraceparent(traceparent, tracestate);
  return parent ? childOf(parent, random) : newTrace(random);
}

/** `00-<traceId>-<spanId>-<flags>` */
export function formatTraceparent(trace: TraceContext): string {
  return `00-${trace.traceId}-${trace.spanId}-${trace.sampled ? '01' : '00'}`;
}

/** The headers that carry a trace onwards, as `messageHeaders` in contracts takes them. */
export function traceHeaders(trace: TraceContext): { traceparent: string; tracestate?: string } {
  const traceparent = formatTraceparent(trace);
  return trace.tracestate === undefined ? { traceparent } : { traceparent, tracestate: trace.tracestate };
}

function id(size: number, random: RandomBytes): string {
  const hex = random(size).toString('hex');
  // all zero means "invalid" in the standard
  return ZEROS.test(hex) ? `${hex.slice(0, -1)}1` : hex;
}
