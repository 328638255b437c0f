import { Body, Controller, Delete, HttpCode, Inject, Param, Post, Put, Req } from '@nestjs/common';
import { unreachable } from '@commservice/contracts';
import type { FastifyRequest } from 'fastify';
import { ControlDesk, type ControlAnswer, type ControlResult } from '../controls/control-desk.js';
import { OperatorProblem } from './operator-http.js';

/**
 * Orders of operators: `POST /lanes/<lane>/pause|resume`, `PUT` and `DELETE /scopes/<account>/mode`. Each takes an ops key
 * and a reason, holds on every pod within 2 s, and is audited.
 */
@Controller()
export class ControlsController {
  constructor(@Inject(ControlDesk) private readonly desk: ControlDesk) {}

  @Post('lanes/:lane/pause')
  @HttpCode(200)
  async pause(
    @Param('lane') lane: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<ControlAnswer> {
    return answerOf(await this.desk.pause(lane, jsonOf(request, body), operatorOf(request)));
  }

  @Post('lanes/:lane/resume')
  @HttpCode(200)
  async resume(
    @Param('lane') lane: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<ControlAnswer> {
    return answerOf(await this.desk.resume(lane, jsonOf(request, body), operatorOf(request)));
  }

  @Put('scopes/:scope/mode')
  async setMode(
    @Param('scope') scope: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<ControlAnswer> {
    return answerOf(await this.desk.setMode(scope, jsonOf(request, body), operatorOf(request)));
  }

  @Delete('scopes/:scope/mode')
  async clearMode(
    @Param('scope') scope: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<ControlAnswer> {
    return answerOf(await this.desk.clearMode(scope, jsonOf(request, body), operatorOf(request)));
  }
}

/** A form would be taken apart into fields that nobody sent. */
function jsonOf(request: FastifyRequest, body: unknown): unknown {
  const type = request.headers['content-type'];
  if (type === undefined || /^application\/json\b/i.test(type)) return body;
  throw new OperatorProblem('unsupported-media-type', 415, 'Send the body as application/json');
}

function operatorOf(request: FastifyRequest): string {
  if (request.operatorKey !== undefined) return request.operatorKey;
  throw new OperatorProblem('unauthenticated', 401, 'Send Authorization: Bearer and a key of the catalogue');
}

function answerOf(result: ControlResult): ControlAnswer {
  switch (result.kind) {
    case 'done':
      return result.answer;
    case 'unknown': {
      const detail = `There is no such ${result.what} here; there are ${result.known.join(', ')}`;
      throw new OperatorProblem('not-found', 404, detail);
    }
    case 'invalid':
      throw new OperatorProblem(
        'invalid-request',
        422,
        'The request breaks one or more rules',
        {},
        result.errors,
      );
    case 'unavailable':
      throw new OperatorProblem('unavailable', 503, 'The order was not taken: the database does not answer', {
        'retry-after': '1',
      });
    default:
      return unreachable(result);
  }
}
