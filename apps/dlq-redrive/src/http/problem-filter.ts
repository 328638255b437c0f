import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { problemOf, type Problem } from '@commservice/contracts';
import type { Logger } from '@commservice/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem } from './http-problem.js';
import { pathOf } from './operator.js';

function statusOf(thrown: unknown): number {
  if (thrown instanceof HttpException) return thrown.getStatus();
  const status = (thrown as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? status : 500;
}

/** A problem for anything that was thrown; what frameworks say is replaced, for it may quote the request. */
function problemFor(thrown: unknown): Problem {
  if (thrown instanceof HttpProblem) return thrown.problem;
  const status = statusOf(thrown);
  if (status === 404) return problemOf('not-found', 404, 'There is nothing at this address');
  if (status === 405) return problemOf('method-not-allowed', 405, 'This address does not take that method');
  if (status === 413) return problemOf('body-too-large', 413, 'The body is too large');
  if (status === 415) return problemOf('unsupported-media-type', 415, 'Send the body as application/json');
  if (status >= 400 && status < 500) return problemOf('malformed-body', status, 'The request cannot be read');
  return problemOf('internal', 500, 'The fault is ours; it has been logged under this traceId');
}

/** Answers everything that is thrown with a problem document (RFC 9457). */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const traceId = request.operator?.traceId;
    const problem: Problem = {
      ...problemFor(thrown),
      instance: pathOf(request.url),
      ...(traceId ? { traceId } : {}),
    };
    if (problem.status >= 500 && !(thrown instanceof HttpProblem)) {
      this.logger.error({ err: thrown, traceId, route: request.routeOptions?.url }, 'a request failed');
    }
    if (reply.sent) return;
    if (thrown instanceof HttpProblem) void reply.headers(thrown.headers);
    void reply.code(problem.status).header('content-type', 'application/problem+json; charset=utf-8');
    void reply.send(JSON.stringify(problem));
  }
}
