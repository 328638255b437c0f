import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { problemOf, type Problem } from '@commservice/contracts';
import type { Logger } from '@commservice/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem, problemReply, type ReplyHeaders } from './http-problem.js';
import { pathOf } from './request-state.js';

function statusOf(thrown: unknown): number {
  if (thrown instanceof HttpException) return thrown.getStatus();
  const status = (thrown as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? status : 500;
}

/** A problem for anything that was thrown; what frameworks say is replaced, for it may quote the request. */
function problemFor(thrown: unknown): Problem {
  if (thrown instanceof HttpProblem) return thrown.problem;
  const status = statusOf(thrown);
  switch (status) {
    case 404:
      return problemOf('not-found', 404, 'There is nothing at this address');
    case 413:
      return problemOf('body-too-large', 413, 'The body is too large');
    case 415:
      return problemOf('unsupported-media-type', 415, 'Send the body as application/json');
    default:
      return status >= 400 && status < 500
        ? problemOf('malformed-body', status, 'The request cannot be read')
        : problemOf('internal', 500, 'The fault is ours; it has been logged under this traceId');
  }
}

/** Answers everything that is thrown with a problem document. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const problem = problemFor(thrown);
    const traceId = request.state?.trace.traceId;
    if (problem.status >= 500 && !(thrown instanceof HttpProblem)) {
      this.logger.error({ err: thrown, traceId, route: request.routeOptions?.url }, 'A request failed');
    }
    const headers: ReplyHeaders = thrown instanceof HttpProblem ? thrown.headers : {};
    if (reply.sent) return;
    const answer = problemReply(
      { ...problem, instance: pathOf(request.url), ...(traceId ? { traceId } : {}) },
      headers,
    );
    void reply.code(answer.status).headers(answer.headers).send(answer.body);
  }
}
