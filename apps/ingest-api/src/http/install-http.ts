import { authenticate } from '@commservice/accept';
import { BATCH_MAX_BYTES, SINGLE_MAX_BYTES, type Catalogue } from '@commservice/contracts';
import { continueTrace, formatTraceparent, type Logger, type Metrics } from '@commservice/telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BatchTurns } from '../publish/batch-turns.js';
import { BodyBudget } from './body-budget.js';
import { HttpProblem, retryAfter } from './http-problem.js';
import { checkBodyHeaders, parseJson, readBody } from './json-body.js';
import { ProblemFilter } from './problem-filter.js';
import { pathOf } from './request-state.js';

export interface HttpParts {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly catalogue: { readonly current: Catalogue };
  /** Shared with the batches: large bodies are read in their turns. */
  readonly turns: BatchTurns;
  /** Most bytes of single bodies, and of batch bodies, held at once. Default 32 MiB and 64 MiB. */
  readonly bodyBudgetBytes?: { readonly single: number; readonly batch: number };
}

const BATCH_PATH = '/v1/messages/batch';
const limitOf = (request: FastifyRequest): number =>
  pathOf(request.url) === BATCH_PATH ? BATCH_MAX_BYTES : SINGLE_MAX_BYTES;

const first = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(',') : value;

/** Trace and key of a request; below /v1 it gets no further without a key. */
function identify(request: FastifyRequest, reply: FastifyReply, catalogue: Catalogue): void {
  const trace = continueTrace(first(request.headers.traceparent), first(request.headers['tracestate']));
  request.state = { trace };
  void reply.header('traceparent', formatTraceparent(trace));
  if (!request.url.startsWith('/v1/')) return;
  const key = authenticate(request.headers.authorization, catalogue);
  if (!key) {
    throw HttpProblem.of('unauthenticated', 401, 'Send Authorization: Bearer and a key of the catalogue', {
      'www-authenticate': 'Bearer',
    });
  }
  request.state = { trace, key };
}

/** Reserves room for the body before it is read, and gives it back when the answer has left or the client has. */
function reserveBody(
  request: FastifyRequest,
  reply: FastifyReply,
  budgets: { single: BodyBudget; batch: BodyBudget },
): void {
  if (request.method !== 'POST') return;
  const maxBytes = limitOf(request);
  checkBodyHeaders(request.headers, maxBytes);
  const declared = request.headers['content-length'];
  const bytes = declared === undefined ? maxBytes : Number(declared);
  const release = (maxBytes === BATCH_MAX_BYTES ? budgets.batch : budgets.single).reserve(bytes);
  if (!release)
    throw HttpProblem.of('unavailable', 503, 'Too many requests are being read at once', retryAfter(1000));
  reply.raw.once('finish', release).once('close', release);
}

function recordDuration(request: FastifyRequest, reply: FastifyReply, metrics: Metrics): void {
  const status = `${Math.floor(reply.statusCode / 100)}xx`;
  if (status !== '2xx' && status !== '3xx' && status !== '4xx' && status !== '5xx') return;
  const route = request.routeOptions.url ?? 'unknown';
  metrics.ingestRequestDuration.record(reply.elapsedTime / 1000, { route, status_class: status });
}

/**
 * Hooks, body parser and problem filter of the API. Call it before the app listens: routes made earlier would lack the
 * hooks. Order of a request: trace → key → size and room → body → handler.
 */
export function installHttp(app: NestFastifyApplication, parts: HttpParts): void {
  const fastify = app.getHttpAdapter().getInstance();
  const budget = parts.bodyBudgetBytes ?? { single: 32 << 20, batch: 64 << 20 };
  const budgets = { single: new BodyBudget(budget.single), batch: new BodyBudget(budget.batch) };
  fastify.decorateRequest('state', undefined);
  fastify.addHook('onRequest', (request, reply, done) => {
    try {
      identify(request, reply, parts.catalogue.current);
      reserveBody(request, reply, budgets);
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
    parseJson(await readBody(request.raw, limitOf(request)), parts.turns),
  );
  app.useGlobalFilters(new ProblemFilter(parts.logger));
}
