import { authenticate } from '@commservice/accept';
import type { Catalogue } from '@commservice/contracts';
import { continueTrace, formatTraceparent, type Logger } from '@commservice/telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem } from './http-problem.js';
import { ProblemFilter } from './problem-filter.js';

/** Who asks, set by the first hook. */
export interface Operator {
  readonly traceId: string;
  /** Id of the ops key; set on every path below /v1. */
  readonly keyId?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent only where a request failed before any hook ran. */
    operator?: Operator;
  }
}

/** Path of a request without its query. */
export const pathOf = (url: string): string => url.split('?', 1)[0] ?? '/';

const first = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(',') : value;

/** Below /v1 only keys of operators get further: a product team's key is known, and refused. */
function identify(request: FastifyRequest, reply: FastifyReply, catalogue: Catalogue): void {
  const trace = continueTrace(first(request.headers.traceparent), first(request.headers['tracestate']));
  request.operator = { traceId: trace.traceId };
  void reply.header('traceparent', formatTraceparent(trace)).header('cache-control', 'no-store');
  if (!request.url.startsWith('/v1/')) return;
  const key = authenticate(request.headers.authorization, catalogue);
  if (!key) {
    const headers = { 'www-authenticate': 'Bearer' };
    throw HttpProblem.of('unauthenticated', 401, 'Send Authorization: Bearer and a key of the catalogue', {
      headers,
    });
  }
  if (key.kind !== 'ops') throw HttpProblem.of('forbidden', 403, 'Only a key of an operator may do this');
  request.operator = { traceId: trace.traceId, keyId: key.id };
}

/** Id of the operator's key of a request below /v1. */
export function operatorOf(request: FastifyRequest): string {
  const keyId = request.operator?.keyId;
  if (keyId === undefined)
    throw HttpProblem.of('unauthenticated', 401, 'Send Authorization: Bearer and a key of the catalogue');
  return keyId;
}

/** Installs authentication and the problem filter; call it before the app listens. */
export function installHttp(
  app: NestFastifyApplication,
  parts: { catalogue: { readonly current: Catalogue }; logger: Logger },
): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.decorateRequest('operator', undefined);
  fastify.addHook('onRequest', (request, reply, done) => {
    try {
      identify(request, reply, parts.catalogue.current);
      done();
    } catch (problem) {
      done(problem as Error);
    }
  });
  app.useGlobalFilters(new ProblemFilter(parts.logger));
}
