import { authenticate } from '@commservice/accept';
import {
  problemOf,
  type Catalogue,
  type FieldError,
  type Problem,
  type ProblemName,
} from '@commservice/contracts';
import type { Logger } from '@commservice/telemetry';
import { Catch, HttpException, type ArgumentsHost } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';

type Headers = Readonly<Record<string, string>>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the ops key of an order; absent on every other request. */
    operatorKey?: string;
  }
}

/** Thrown by the controllers of operators' orders to answer with a problem document. */
export class OperatorProblem extends Error {
  readonly problem: Problem;

  constructor(
    name: ProblemName,
    status: number,
    detail: string,
    readonly headers: Headers = {},
    errors?: readonly FieldError[],
  ) {
    super(detail);
    this.problem = problemOf(name, status, detail, errors ? { errors: [...errors] } : {});
  }
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? '/';

/** `GET /lanes` is open, as ever; everything below it, and every scope, is for operators. */
const isOrder = (url: string): boolean => /^\/(lanes|scopes)\/./.test(pathOf(url));

function identify(request: FastifyRequest, reply: FastifyReply, catalogue: Catalogue): void {
  if (!isOrder(request.url)) return;
  void reply.header('cache-control', 'no-store');
  const key = authenticate(request.headers.authorization, catalogue);
  if (!key) {
    const detail = 'Send Authorization: Bearer and a key of the catalogue';
    throw new OperatorProblem('unauthenticated', 401, detail, { 'www-authenticate': 'Bearer' });
  }
  if (key.kind !== 'ops')
    throw new OperatorProblem('forbidden', 403, 'Only a key of an operator may do this');
  request.operatorKey = key.id;
}

/** What frameworks throw before or beside our handlers; their own words may quote the request. */
function problemFor(thrown: unknown): Problem {
  if (thrown instanceof OperatorProblem) return thrown.problem;
  const given =
    thrown instanceof HttpException ? thrown.getStatus() : (thrown as { statusCode?: unknown }).statusCode;
  const status = typeof given === 'number' ? given : 500;
  if (status === 404) return problemOf('not-found', 404, 'There is nothing at this address');
  if (status === 413) return problemOf('body-too-large', 413, 'The body is too large');
  if (status === 415) return problemOf('unsupported-media-type', 415, 'Send the body as application/json');
  if (status >= 400 && status < 500) return problemOf('malformed-body', status, 'The request cannot be read');
  return problemOf('internal', 500, 'The fault is ours; it has been logged');
}

/** Answers what is thrown on the paths of operators' orders with a problem document (RFC 9457); the rest as Nest does. */
@Catch()
class OperatorFilter extends BaseExceptionFilter {
  constructor(
    app: NestFastifyApplication,
    private readonly logger: Logger,
  ) {
    super(app.getHttpAdapter());
  }

  override catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (host.getType() !== 'http' || !isOrder(request.url)) return super.catch(thrown, host);
    const problem: Problem = { ...problemFor(thrown), instance: pathOf(request.url) };
    if (problem.status >= 500 && !(thrown instanceof OperatorProblem))
      this.logger.error({ err: thrown, route: request.routeOptions?.url }, "an operator's order failed");
    if (reply.sent) return;
    if (thrown instanceof OperatorProblem) void reply.headers(thrown.headers);
    void reply.code(problem.status).header('content-type', 'application/problem+json; charset=utf-8');
    void reply.send(JSON.stringify(problem));
  }
}

/** Installs the check of keys (those of the catalogue in force), before any body is read, and the problem documents. Call it before the app listens. */
export function installOperatorHttp(
  app: NestFastifyApplication,
  parts: { readonly catalogue: () => Catalogue; readonly logger: Logger },
): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.decorateRequest('operatorKey', undefined);
  fastify.addHook('onRequest', (request, reply, done) => {
    try {
      identify(request, reply, parts.catalogue());
      done();
    } catch (problem) {
      done(problem as Error);
    }
  });
  app.useGlobalFilters(new OperatorFilter(app, parts.logger));
}
