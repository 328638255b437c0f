import { Module, type DynamicModule } from '@nestjs/common';
import { Readiness } from '../readiness.js';
import { HealthController } from './health.controller.js';
import { METRICS_TEXT, type MetricsText } from './tokens.js';

/** GET /health/live, /health/ready and /metrics for any app. `runService` adds it by itself. */
@Module({})
export class HealthModule {
  static register(options: { readiness: Readiness; metricsText: MetricsText }): DynamicModule {
    return {
      module: HealthModule,
      controllers: [HealthController],
      providers: [
        { provide: Readiness, useValue: options.readiness },
        { provide: METRICS_TEXT, useValue: options.metricsText },
      ],
      exports: [Readiness],
    };
  }
}
