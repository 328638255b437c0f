import { Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { HealthModule } from './health.module.js';
import type { AppModule, HttpOptions, HttpParts } from './http-app.js';
import { NestLogger } from './nest-logger.js';

/** How long requests in the air may take to end once the server closes, ms. */
const CLOSE_GRACE_MS = 2_000;

@Module({})
class ServiceModule {}

/** See `createHttpApp`, which loads this file. */
export async function buildApp(
  module: AppModule,
  parts: HttpParts,
  http: HttpOptions,
): Promise<NestFastifyApplication> {
  const health = HealthModule.register({ readiness: parts.readiness, metricsText: parts.metricsText });
  const root: DynamicModule = { module: ServiceModule, imports: [health, module] };
  const adapter = new FastifyAdapter({
    bodyLimit: http.bodyLimitBytes ?? 1024 * 1024,
    keepAliveTimeout: http.keepAliveTimeoutMs ?? 65_000,
    requestTimeout: http.requestTimeoutMs ?? 30_000,
    logger: false,
    // what Fastify refuses before any route: its own words would repeat the URL
    frameworkErrors: (error: FastifyError, _request: FastifyRequest, reply: FastifyReply) => {
      const status = error.statusCode ?? 400;
      const title = status === 414 ? 'URI too long' : 'Malformed request';
      void reply.code(status).type('application/problem+json').send({ type: 'about:blank', title, status });
    },
  });
  // a connection that never sent a request is not idle to Node and would hold the shutdown up for ever
  adapter.getInstance().addHook('preClose', (done) => {
    setTimeout(() => adapter.getInstance().server.closeAllConnections(), CLOSE_GRACE_MS).unref();
    done();
  });
  return NestFactory.create<NestFastifyApplication>(root, adapter, {
    logger: new NestLogger(parts.logger.child({ part: 'nest' })),
    // else Nest ends the process itself, without our sentence
    abortOnError: false,
    rawBody: http.rawBody ?? false,
    bodyParser: http.bodyParser ?? true,
  });
}
