import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from '../logger.js';
import { createLogger } from '../pino-logger.js';
import { Readiness } from '../readiness.js';
import { Shutdown } from '../shutdown.js';
import { EXIT_FAILURE, explainStartFault } from '../start-fault.js';
import { startTelemetry, type Telemetry } from '../telemetry.js';
import { createHttpApp } from './http-app.js';
import type { HostProcess, ServicePlan, ServiceRuntime } from './service-runtime.js';

const DEFAULT_HOST = '127.0.0.1';
const STOP_DEADLINE_MS = 20_000;
const FLUSH_DEADLINE_MS = 2_000;
/** Told in a sentence of its own, so the stopping is not worth a line. */
const START_FAILED = 'the start failed';

export interface RunServiceOptions {
  /** App name, for example `sms-dispatcher`. */
  readonly service: string;
  /** Parses the environment and says how to build the service. A ConfigError thrown here ends the process with 78. */
  readonly configure: () => ServicePlan;
  /** Default: this process. */
  readonly process?: HostProcess;
  /** Default: `createLogger` on standard output. */
  readonly logger?: Logger;
}

/**
 * Runs one app from start to exit. Resolves once it serves (or has asked to exit). Exit codes: 0 after an orderly
 * SIGTERM or SIGINT; 78 for a bad configuration (one sentence per fault on standard error); 1 for everything else: a
 * start that failed, a taken port, an unhandled rejection, a second signal, a shutdown past its deadline.
 */
export async function runService(options: RunServiceOptions): Promise<void> {
  const host = options.process ?? process;
  let plan: ServicePlan | undefined;
  let service: RunningService | undefined;
  try {
    plan = options.configure();
    const { pod, logLevel = 'info' } = plan;
    const logger = options.logger ?? createLogger({ service: options.service, pod, level: logLevel });
    service = new RunningService(options.service, plan, host, logger);
    await service.start();
  } catch (error) {
    const listen = plan && { host: plan.host ?? DEFAULT_HOST, port: plan.port };
    const fault = explainStartFault(options.service, error, listen);
    for (const sentence of fault.sentences) host.stderr.write(`${sentence}\n`);
    if (!fault.known) service?.logger.error({ err: error }, 'the service could not start');
    if (service) await service.abandon(fault.exitCode);
    else host.exit(fault.exitCode);
  }
}

/**
 * One app in this process. States: STARTING → SERVING → STOPPING → exit. A signal in STARTING stops what exists so
 * far. STOPPING: not ready, `stop` hooks, HTTP closed, `release` hooks, telemetry flushed. `exit` is called once.
 */
class RunningService {
  readonly #readiness = new Readiness();
  readonly #shutdown: Shutdown;
  #telemetry: Telemetry | undefined;
  #app: NestFastifyApplication | undefined;
  #exited = false;

  constructor(
    private readonly service: string,
    private readonly plan: ServicePlan,
    private readonly host: HostProcess,
    readonly logger: Logger,
  ) {
    this.#shutdown = new Shutdown(logger);
    this.#watchProcess();
  }

  async start(): Promise<void> {
    const { plan, service } = this;
    const { pod, build, traces } = plan;
    const telemetry = await startTelemetry({ service, pod, build, traces });
    this.#telemetry = telemetry;
    const runtime = this.#runtime(telemetry);
    const module = await plan.module(runtime);
    const metricsText = (): Promise<string> => telemetry.metricsText();
    const app = await createHttpApp(
      module,
      { logger: this.logger, readiness: this.#readiness, metricsText },
      plan.http,
    );
    this.#app = app;
    await plan.beforeListen?.(app, runtime);
    if (this.#shutdown.begun) return;
    await app.listen(plan.port, plan.host ?? DEFAULT_HOST);
    await plan.afterListen?.(app, runtime);
    this.#readiness.serving();
    this.logger.info({ at: await app.getUrl() }, 'the service is up');
  }

  /** The start failed: let go of what was opened, then exit. */
  async abandon(exitCode: number): Promise<void> {
    await this.#stop(START_FAILED, exitCode);
  }

  #runtime(telemetry: Telemetry): ServiceRuntime {
    return {
      service: this.service,
      pod: this.plan.pod,
      logger: this.logger,
      metrics: telemetry.metrics,
      tracer: telemetry.tracer,
      readiness: this.#readiness,
      onStop: (name, hook) => this.#shutdown.add('stop', name, hook),
      onRelease: (name, hook) => this.#shutdown.add('release', name, hook),
      fail: (error, message) => {
        this.logger.error({ err: error }, message);
        void this.#stop('the service failed', EXIT_FAILURE);
      },
    };
  }

  #watchProcess(): void {
    for (const signal of ['SIGTERM', 'SIGINT']) {
      this.host.on(signal, () => {
        if (!this.#shutdown.begun) return void this.#stop(signal, 0);
        this.logger.error({ signal }, 'a second signal came; leaving at once');
        this.#exit(EXIT_FAILURE);
      });
    }
    for (const event of ['unhandledRejection', 'uncaughtException']) {
      this.host.on(event, (error) => {
        this.logger.error({ err: error, event }, 'a fault that nothing handled; leaving at once');
        this.#exit(EXIT_FAILURE);
      });
    }
  }

  async #stop(reason: string, exitCode: number): Promise<void> {
    if (this.#shutdown.begun) return;
    const level = reason === START_FAILED ? 'debug' : 'info';
    this.logger[level]({ reason }, 'the service is stopping');
    this.#readiness.stopping();
    const deadlineMs = this.plan.stopDeadlineMs ?? STOP_DEADLINE_MS;
    const result = await this.#shutdown.run(deadlineMs, async () => this.#app?.close());
    if (result.kind === 'deadline-exceeded') {
      this.logger.error({ step: result.step, deadlineMs }, 'the shutdown took too long; leaving at once');
      return this.#exit(EXIT_FAILURE);
    }
    await this.#telemetry?.shutdown(FLUSH_DEADLINE_MS);
    this.logger[level]({ failed: result.failed }, 'the service has stopped');
    this.#exit(exitCode === 0 && result.failed.length > 0 ? EXIT_FAILURE : exitCode);
  }

  #exit(code: number): void {
    if (this.#exited) return;
    this.#exited = true;
    this.host.exit(code);
  }
}
