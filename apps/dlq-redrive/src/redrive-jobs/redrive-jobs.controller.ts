import { Controller, Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { faultsOf } from '@commservice/accept';
import { RedriveStore } from '@commservice/postgres';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fromDatabase, notFound, refused } from '../http/http-problem.js';
import { operatorOf } from '../http/operator.js';
import { jobBody } from './job-body.js';
import { JobDesk } from './job-desk.js';
import { jobsQuerySchema, type RedriveJobBody } from './schemas.js';

/** `/v1/redrive-jobs`: puts dead letters back on their lanes, paced and audited. */
@Controller('v1/redrive-jobs')
export class RedriveJobsController {
  constructor(
    @Inject(JobDesk) private readonly desk: JobDesk,
    @Inject(RedriveStore) private readonly store: RedriveStore,
  ) {}

  @Post()
  @HttpCode(202)
  async create(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RedriveJobBody> {
    const key = request.headers['idempotency-key'];
    const { job, replayed } = await this.desk.create(request.body, key, operatorOf(request));
    void reply.header('location', `/v1/redrive-jobs/${job.id}`);
    if (replayed) void reply.header('idempotency-replayed', 'true');
    return jobBody(job);
  }

  @Get()
  async list(@Query() query: unknown): Promise<{ jobs: RedriveJobBody[] }> {
    const parsed = jobsQuerySchema.safeParse(query);
    if (!parsed.success) throw refused(faultsOf(parsed.error.issues, query));
    return { jobs: (await fromDatabase(() => this.store.list(parsed.data.limit))).map(jobBody) };
  }

  @Get(':id')
  async byId(@Param('id') id: string): Promise<RedriveJobBody> {
    const job = await fromDatabase(() => this.store.byId(id));
    if (!job) throw notFound('redrive job');
    return jobBody(job);
  }

  @Post(':id/cancel')
  @HttpCode(202)
  async cancel(@Param('id') id: string, @Req() request: FastifyRequest): Promise<RedriveJobBody> {
    return jobBody(await this.desk.cancel(id, operatorOf(request)));
  }
}
