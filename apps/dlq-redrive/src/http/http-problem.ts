import { problemOf, type FieldError, type Problem, type ProblemName } from '@commservice/contracts';
import { sqlFaultOf } from '@commservice/postgres';

/** Thrown by hooks and handlers to answer with a problem document; the problem filter sends it. */
export class HttpProblem extends Error {
  constructor(
    readonly problem: Problem,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(problem.title);
    this.name = 'HttpProblem';
  }

  static of(
    name: ProblemName,
    status: number,
    detail: string,
    more: { errors?: FieldError[]; headers?: Readonly<Record<string, string>> } = {},
  ): HttpProblem {
    return new HttpProblem(
      problemOf(name, status, detail, more.errors ? { errors: more.errors } : {}),
      more.headers,
    );
  }
}

/** A request that breaks rules: 422 with every fault. */
export const refused = (errors: FieldError[]): HttpProblem =>
  HttpProblem.of('invalid-request', 422, 'The request breaks one or more rules', { errors });

export const notFound = (what: string): HttpProblem =>
  HttpProblem.of('not-found', 404, `There is no such ${what}`);

/** Runs a query; a database that is away answers 503, so that clients try again. */
export async function fromDatabase<T>(query: () => Promise<T>): Promise<T> {
  try {
    return await query();
  } catch (error) {
    if (sqlFaultOf(error) !== 'unavailable') throw error;
    throw HttpProblem.of('unavailable', 503, 'The database does not answer', {
      headers: { 'retry-after': '1' },
    });
  }
}
