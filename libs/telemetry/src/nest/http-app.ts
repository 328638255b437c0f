import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from '../logger.js';
import type { Readiness } from '../readiness.js';

export interface HttpOptions {
  /** Largest request body, bytes. Larger: 413. Default 1 MiB. */
  readonly bodyLimitBytes?: number;
  /** How long an idle connection stays open, ms; longer than clients keep theirs. Default 65 000. */
  readonly keepAliveTimeoutMs?: number;
  /** Longest time for a client to send its whole request, ms. Default 30 000. */
  readonly requestTimeoutMs?: number;
  /** Keep the raw bytes of bodies as `request.rawBody`. Default false. */
  readonly rawBody?: boolean;
  /** Install Nest's own JSON body parser. Default true; false for an app with parsers of its own. */
  readonly bodyParser?: boolean;
}

/** The app's own module, plain or configured. */
export type AppModule = DynamicModule | Type<unknown>;

/** What the health and metrics endpoints answer from. */
export interface HttpParts {
  readonly logger: Logger;
  readonly readiness: Readiness;
  readonly metricsText: () => Promise<string>;
}

/**
 * A Nest app on Fastify with /health/live, /health/ready and /metrics beside the app's own module, not yet listening.
 * Rejects when a module cannot be built. Nest is loaded only here: most who import this library never need it.
 */
export async function createHttpApp(
  module: AppModule,
  parts: HttpParts,
  http: HttpOptions = {},
): Promise<NestFastifyApplication> {
  const { buildApp } = await import('./build-app.js');
  return buildApp(module, parts, http);
}
