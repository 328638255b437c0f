import { types } from 'node:util';
import { maskAddresses } from './mask.js';

/** An error as a log line shows it. */
export interface LoggedError {
  readonly name: string;
  /** Addresses masked, at most 1 KiB. */
  readonly message: string;
  readonly code?: string;
  /** Frames of our own code only; at most 10. */
  readonly stack?: readonly string[];
  readonly cause?: LoggedError;
  /** Members of an AggregateError; at most 5. */
  readonly errors?: readonly LoggedError[];
}

const MAX_MESSAGE = 1024;
const MAX_FRAMES = 10;
const MAX_DEPTH = 4;
const MAX_MEMBERS = 5;
const FOREIGN_FRAME = /node_modules|node:|<anonymous>\)?$/;

/**
 * Keeps name, code, own stack frames and the masked message; drops every other property, because libraries hang
 * requests, bodies and headers on their errors. Takes anything that was thrown.
 */
export function serializeError(thrown: unknown, depth = 0): LoggedError {
  if (!isError(thrown)) {
    return {
      name: 'NonError',
      message: clip(typeof thrown === 'string' ? thrown : `a thrown ${typeof thrown}`),
    };
  }
  const { code, errors } = thrown as { code?: unknown; errors?: unknown };
  const stack = ownFrames(thrown.stack);
  const deeper = depth < MAX_DEPTH;
  const members = Array.isArray(errors) ? (errors as unknown[]).slice(0, MAX_MEMBERS) : [];
  return {
    name: clip(thrown.name),
    message: clip(thrown.message),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: clip(String(code)) } : {}),
    ...(stack.length > 0 ? { stack } : {}),
    ...(deeper && thrown.cause !== undefined ? { cause: serializeError(thrown.cause, depth + 1) } : {}),
    ...(deeper && members.length > 0 ? { errors: members.map((m) => serializeError(m, depth + 1)) } : {}),
  };
}

/** Also for errors of another realm, such as a worker's or a test runner's. */
export const isError = (thrown: unknown): thrown is Error =>
  thrown instanceof Error || types.isNativeError(thrown);

const clip = (text: string): string => maskAddresses(text).slice(0, MAX_MESSAGE);

/** The first lines of a stack repeat the message, so only frames are taken; masked, as a message may look like one. */
function ownFrames(stack: string | undefined): string[] {
  return (stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && !FOREIGN_FRAME.test(line.trimEnd()))
    .slice(0, MAX_FRAMES)
    .map((line) => clip(line.trim()));
}
