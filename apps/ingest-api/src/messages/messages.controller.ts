import { Controller, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpReply } from '../http/http-problem.js';
import { callerOf } from './caller.js';
import { MessageReader } from './reader.js';
import { Submission } from './submission.js';

const send = (reply: FastifyReply, { status, headers, body }: HttpReply): void => {
  void reply.code(status).headers(headers).send(body);
};

/** `/v1/messages`: takes messages and tells where they stand. */
@Controller('v1/messages')
export class MessagesController {
  constructor(
    @Inject(Submission) private readonly submission: Submission,
    @Inject(MessageReader) private readonly reader: MessageReader,
  ) {}

  @Post()
  async submit(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    send(
      reply,
      await this.submission.single(request.body, callerOf(request), request.headers['idempotency-key']),
    );
  }

  @Post('batch')
  async submitBatch(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    send(
      reply,
      await this.submission.batch(request.body, callerOf(request), request.headers['idempotency-key']),
    );
  }

  @Get()
  async search(
    @Query() query: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.reader.search(query, callerOf(request)));
  }

  @Get(':id')
  async byId(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.reader.byId(id, callerOf(request)));
  }

  @Get(':id/events')
  async events(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.reader.events(id, callerOf(request)));
  }
}
