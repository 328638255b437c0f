import { BATCH_MAX_BYTES, SINGLE_MAX_BYTES } from '@commservice/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BodyBudget, type BodyHold } from './body-budget.js';
import { HttpProblem, retryAfter } from './http-problem.js';
import { checkBodyHeaders, readBody } from './json-body.js';

const BATCH_ROUTE = '/v1/messages/batch';
const noRoom = (): HttpProblem =>
  HttpProblem.of('unavailable', 503, 'Too many requests are being read at once', retryAfter(1000));

/** By the matched route: one address has many spellings, and none of them may choose its limit. */
const limitOf = (request: FastifyRequest): number =>
  request.routeOptions.url === BATCH_ROUTE ? BATCH_MAX_BYTES : SINGLE_MAX_BYTES;

/**
 * Decides which bodies are read at all. States of a request: not admitted (its body is never read) → admitted for a team →
 * reading, charged by what arrives → answered or gone, everything given back. Called by the hook and the parser of
 * `installHttp`.
 */
export class BodyAdmission {
  private readonly single: BodyBudget;
  private readonly batch: BodyBudget;
  private readonly holds = new WeakMap<FastifyRequest, BodyHold>();

  /** @param budgetBytes most bytes of single bodies, and of batch bodies, held at once */
  constructor(budgetBytes: { readonly single: number; readonly batch: number }) {
    this.single = new BodyBudget(budgetBytes.single);
    this.batch = new BodyBudget(budgetBytes.batch);
  }

  /** Lets the body of a request with a valid key be read. Throws what its headers rule out already. */
  admit(request: FastifyRequest, reply: FastifyReply, team: string): void {
    const maxBytes = limitOf(request);
    checkBodyHeaders(request.headers, maxBytes);
    const budget = maxBytes === BATCH_MAX_BYTES ? this.batch : this.single;
    if (!budget.fits(team, Number(request.headers['content-length'] ?? 0))) throw noRoom();
    const hold = budget.hold(team);
    this.holds.set(request, hold);
    const release = (): void => hold.release();
    reply.raw.once('finish', release).once('close', release);
  }

  /** Reads the body of an admitted request. Rejects with 413, 503 or, when the client is gone, 400. */
  read(request: FastifyRequest): Promise<Buffer> {
    const hold = this.holds.get(request);
    if (!hold) throw HttpProblem.of('not-found', 404, 'There is nothing at this address');
    return readBody(request.raw, limitOf(request), (bytes) => (hold.take(bytes) ? undefined : noRoom()));
  }
}
