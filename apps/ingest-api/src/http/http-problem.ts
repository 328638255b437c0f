import { problemOf, type Problem, type ProblemName } from '@commservice/contracts';

/** Headers of an answer, lower case. */
export type ReplyHeaders = Readonly<Record<string, string>>;

/** One whole answer, already serialised: what is sent, and what an idempotency key stores. */
export interface HttpReply {
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly body: string;
}

/** Thrown by parsers and hooks, where there is no other way out; the problem filter answers it. */
export class HttpProblem extends Error {
  constructor(
    readonly problem: Problem,
    readonly headers: ReplyHeaders = {},
  ) {
    super(problem.title);
    this.name = 'HttpProblem';
  }

  static of(name: ProblemName, status: number, detail: string, headers: ReplyHeaders = {}): HttpProblem {
    return new HttpProblem(problemOf(name, status, detail), headers);
  }
}

/** Whole seconds for `Retry-After`, at least one. */
export const retryAfter = (ms: number): ReplyHeaders => ({
  'retry-after': String(Math.max(1, Math.ceil(ms / 1000))),
});

/** An answer in JSON. */
export const jsonReply = (status: number, value: unknown, headers: ReplyHeaders = {}): HttpReply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(value),
});

/** A problem document as an answer. */
export const problemReply = (problem: Problem, headers: ReplyHeaders = {}): HttpReply => ({
  status: problem.status,
  headers: { 'content-type': 'application/problem+json; charset=utf-8', ...headers },
  body: JSON.stringify(problem),
});
