import { problemOf, type Problem } from '@commservice/contracts';
import { problemReply, retryAfter, type HttpReply } from '../http/http-problem.js';
import { located, type Caller } from '../messages/caller.js';
import { BEGIN_DEADLINE_MS, type IdempotencyStore } from './idempotency-store.js';

/** A quoted string (IETF draft) or the bare text: printable ASCII, at most 255 characters. */
const HEADER = /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/;

/** Statuses that say "try again": remembering them would keep a message from ever being taken. */
const isFinal = (status: number): boolean => status < 500 && status !== 429 && status !== 409;

function readHeader(header: string | string[]): string | undefined {
  const m = typeof header === 'string' ? HEADER.exec(header) : null;
  return m?.[1] ?? m?.[2];
}

export interface IdempotentRequest {
  readonly header: string | string[];
  /** Tells bodies apart. Asked only when the header is a sound one. */
  readonly hash: () => string | Promise<string>;
  readonly caller: Caller;
  /** A one-time code is worth a possible second copy: it goes on when the store is down. */
  readonly urgent: boolean;
}

const replyOf = (problem: Problem, caller: Caller, headers = {}): HttpReply =>
  problemReply(located(problem, caller), headers);

function invalidKey(caller: Caller): HttpReply {
  const errors = [
    {
      pointer: '',
      code: 'invalid_format',
      detail: 'Idempotency-Key has 1 to 255 printable ASCII characters',
    },
  ];
  return replyOf(
    problemOf('invalid-request', 422, 'The Idempotency-Key header is not a valid one', { errors }),
    caller,
  );
}

function mismatched(caller: Caller): HttpReply {
  const errors = [
    { pointer: '', code: 'idempotency_mismatch', detail: 'This Idempotency-Key was used with another body' },
  ];
  return replyOf(problemOf('invalid-request', 422, 'The key belongs to another request', { errors }), caller);
}

/** Runs `work` at most once for a key of a team and route in 24 h; answers repeats from memory. */
export async function idempotent(
  store: IdempotencyStore,
  { header, hash, caller, urgent }: IdempotentRequest,
  work: () => Promise<HttpReply>,
): Promise<HttpReply> {
  const key = readHeader(header);
  if (key === undefined) return invalidKey(caller);
  const scoped = `request\n${caller.key.team}\n${caller.route}\n${key}`;
  const begun = await store.begin(scoped, await hash(), BEGIN_DEADLINE_MS[urgent ? 'urgent' : 'other']);
  switch (begun.kind) {
    case 'new': {
      const reply = await settled(work, () => store.release(scoped, begun.token));
      if (isFinal(reply.status)) await store.finish(scoped, begun.token, JSON.stringify(reply));
      else await store.release(scoped, begun.token);
      return reply;
    }
    case 'done': {
      const stored = JSON.parse(begun.answer) as HttpReply;
      return { ...stored, headers: { ...stored.headers, 'idempotency-replayed': 'true' } };
    }
    case 'running':
      return replyOf(
        problemOf('request-in-progress', 409, 'Ask again in a second'),
        caller,
        retryAfter(1000),
      );
    case 'mismatch':
      return mismatched(caller);
    case 'unavailable':
      if (urgent) return work();
      return replyOf(
        problemOf('unavailable', 503, 'Idempotency keys cannot be checked now'),
        caller,
        retryAfter(1000),
      );
  }
}

/** A fault of ours must not leave the key held. */
async function settled(work: () => Promise<HttpReply>, release: () => Promise<void>): Promise<HttpReply> {
  try {
    return await work();
  } catch (error) {
    await release();
    throw error;
  }
}
