import type { Tracer } from '@opentelemetry/api';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { LogLevel, Logger } from '../logger.js';
import type { Metrics } from '../metric-handles.js';
import type { Readiness } from '../readiness.js';
import type { StopHook } from '../shutdown.js';
import type { AppModule, HttpOptions } from './http-app.js';

/** What a running service hands to its module. */
export interface ServiceRuntime {
  readonly service: string;
  readonly pod: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  /** Register probes here; they decide /health/ready once the service has started. */
  readonly readiness: Readiness;
  /** Runs first at shutdown, last added first, while HTTP still answers: stop taking work, settle what is in the air. */
  onStop(name: string, hook: StopHook): void;
  /** Runs after HTTP is closed, last added first: close producers, pools and clients. */
  onRelease(name: string, hook: StopHook): void;
  /** Ends the service with exit code 1, in order, because it cannot go on. For faults met after start-up. */
  fail(error: unknown, message: string): void;
}

/** How one service is built. Returned by `configure`, which parses the environment first. */
export interface ServicePlan {
  /** Name of this process in logs, metrics and leases. */
  readonly pod: string;
  readonly port: number;
  /** Address to listen on. Default 127.0.0.1; containers set 0.0.0.0. */
  readonly host?: string;
  /** Default `info`. */
  readonly logLevel?: LogLevel;
  /** Version and commit, for metrics. */
  readonly build?: string;
  /** See `TelemetryOptions.traces`. Default `none`. */
  readonly traces?: 'none' | 'otlp';
  readonly http?: HttpOptions;
  /** Longest shutdown, ms; then exit 1. Default 20 000. */
  readonly stopDeadlineMs?: number;
  /** Makes the app's module; may connect to what it needs. */
  readonly module: (runtime: ServiceRuntime) => AppModule | Promise<AppModule>;
  /** Runs before listening: parsers, static files, `connectMicroservice`. */
  readonly beforeListen?: (app: NestFastifyApplication, runtime: ServiceRuntime) => void | Promise<void>;
  /** Runs after listening and before the service counts as started: start lanes, `startAllMicroservices`. */
  readonly afterListen?: (app: NestFastifyApplication, runtime: ServiceRuntime) => void | Promise<void>;
}

/** The parts of `process` that a service uses; a stand-in in tests. */
export interface HostProcess {
  on(event: string, listener: (...args: unknown[]) => void): unknown;
  exit(code: number): void;
  readonly stderr: { write(text: string): unknown };
}
