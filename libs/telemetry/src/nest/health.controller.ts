import { Controller, Get, Header, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Readiness, type ReadinessReport } from '../readiness.js';
import { METRICS_TEXT, type MetricsText } from './tokens.js';

/** What every app answers about itself. */
@Controller()
export class HealthController {
  constructor(
    @Inject(Readiness) private readonly readiness: Readiness,
    @Inject(METRICS_TEXT) private readonly readMetrics: MetricsText,
  ) {}

  /** 200 while the process can answer at all. Asks nothing else: a dead broker is no reason to restart an app. */
  @Get('health/live')
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  /** 200 when the service may be given work, else 503; the checks say why in plain sentences. */
  @Get('health/ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessReport> {
    const report = await this.readiness.report();
    void reply.status(report.status === 'ready' ? 200 : 503).header('cache-control', 'no-store');
    return report;
  }

  /** All metrics, Prometheus text format 0.0.4. */
  @Get('metrics')
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  @Header('cache-control', 'no-store')
  metrics(): Promise<string> {
    return this.readMetrics();
  }
}
