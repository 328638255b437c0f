import type { CatalogueKey, Problem } from '@commservice/contracts';
import type { TraceContext } from '@commservice/telemetry';
import type { FastifyRequest } from 'fastify';
import { HttpProblem } from '../http/http-problem.js';
import { pathOf } from '../http/request-state.js';

/** Who asks, and under which trace. */
export interface Caller {
  readonly key: CatalogueKey;
  readonly trace: TraceContext;
  /** Path of the request, as it was spelled. */
  readonly path: string;
  /** The route it matched: the same for every spelling of an address. */
  readonly route: string;
}

/** The caller of a request below /v1. */
export function callerOf(request: FastifyRequest): Caller {
  const { key, trace } = request.state ?? {};
  if (!key || !trace)
    throw HttpProblem.of('unauthenticated', 401, 'Send Authorization: Bearer and a key of the catalogue');
  const path = pathOf(request.url);
  return { key, trace, path, route: request.routeOptions.url ?? path };
}

/** A problem completed with where and under which trace it happened. */
export const located = (problem: Problem, caller: Caller): Problem => ({
  ...problem,
  instance: caller.path,
  traceId: caller.trace.traceId,
});
