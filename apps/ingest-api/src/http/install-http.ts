import { authenticate } from '@commservice/accept';
import type { Catalogue, CatalogueKey } from '@commservice/contracts';
import { continueTrace, formatTraceparent, type Logger, type Metrics } from '@commservice/telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BatchTurns } from '../publish/batch-turns.js';
import { BodyAdmission } from './body-admission.js';
import { HttpProblem } from './http-problem.js';
import { parseJson } from './json-body.js';
import { ProblemFilter } from './problem-filter.js';
import { RouteTable } from './route-table.js';

export interface HttpParts {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly catalogue: { readonly current: Catalogue };
  /** Shared with the batches: large bodies are read in their turns. */
  readonly turns: BatchTurns;
  /** Most bytes of single bodies, and of batch bodies, held at once. Default 32 MiB and 64 MiB. */
  readonly bodyBudgetBytes?: { readonly single: number; readonly batch: number };
}

/** Every route below it needs a key. */
const GUARDED = '/v1/';

const first = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(',') : value;

/** Continues the client's trace. Every answer carries it, also a refusal. */
function trace(request: FastifyRequest, reply: FastifyReply): void {
  const context = continueTrace(first(request.headers.traceparent), first(request.headers['tracestate']));
  request.state = { trace: context };
  void reply.header('traceparent', formatTraceparent(context));
}

/** The key of a request to a guarded route, without which it gets no further; undefined for the open routes. */
function identify(request: FastifyRequest, route: string, catalogue: Catalogue): CatalogueKey | undefined {
  if (!route.startsWith(GUARDED)) return undefined;
  const key = authenticate(request.headers.authorization, catalogue);
  if (!key) {
    throw HttpProblem.of('unauthenticated', 401, 'Send Authorization: Bearer and a key of the catalogue', {
      'www-authenticate': 'Bearer',
    });
  }
  return key;
}

const hasBody = ({ method }: FastifyRequest): boolean => method !== 'GET' && method !== 'HEAD';

function recordDuration(request: FastifyRequest, reply: FastifyReply, metrics: Metrics): void {
  const status = `${Math.floor(reply.statusCode / 100)}xx`;
  if (status !== '2xx' && status !== '3xx' && status !== '4xx' && status !== '5xx') return;
  const route = request.routeOptions.url ?? 'unknown';
  metrics.ingestRequestDuration.record(reply.elapsedTime / 1000, { route, status_class: status });
}

/**
 * Hooks, body parser and problem filter of the API. Call it before the app listens: routes made earlier would lack the
 * hooks. Order of a request: trace → route → key → size and room → body → handler. Only the matched route decides, never
 * the spelling of the address; what has no route, or no key where one is needed, is answered before its body is read.
 */
export function installHttp(app: NestFastifyApplication, parts: HttpParts): void {
  const fastify = app.getHttpAdapter().getInstance();
  const bodies = new BodyAdmission(parts.bodyBudgetBytes ?? { single: 32 << 20, batch: 64 << 20 });
  const routes = new RouteTable();
  routes.listen(fastify);
  fastify.decorateRequest('state', undefined);
  fastify.addHook('onRequest', (request, reply, done) => {
    try {
      trace(request, reply);
      const route = request.is404 ? undefined : request.routeOptions.url;
      if (route === undefined) throw routes.refusal(request);
      const key = identify(request, route, parts.catalogue.current);
      if (key && request.state) request.state = { ...request.state, key };
      if (key && hasBody(request)) bodies.admit(request, reply, key.team);
      done();
    } catch (problem) {
      done(problem as Error);
    }
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    recordDuration(request, reply, parts.metrics);
    done();
  });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', async (request: FastifyRequest) =>
    parseJson(await bodies.read(request), parts.turns),
  );
  app.useGlobalFilters(new ProblemFilter(parts.logger));
}
