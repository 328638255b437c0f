import type { Tracer } from '@opentelemetry/api';
import type { Metrics } from './metric-handles.js';

export interface TelemetryOptions {
  /** App name: `service.name`. */
  readonly service: string;
  /** Process name: `service.instance.id`. */
  readonly pod: string;
  /** Version and commit: `service.version`. */
  readonly build?: string;
  /**
   * `none` (default) makes no spans; `otlp` exports them as the standard variables say (OTEL_EXPORTER_OTLP_ENDPOINT,
   * OTEL_TRACES_SAMPLER …), which the SDK reads itself.
   */
  readonly traces?: 'none' | 'otlp';
}

/** The running SDK. One a process: OpenTelemetry's providers are global. */
export interface Telemetry {
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  /** All metrics in Prometheus text format. Reads every gauge once. */
  metricsText(): Promise<string>;
  /** Flushes and stops. Never rejects; gives up after `deadlineMs`. */
  shutdown(deadlineMs: number): Promise<void>;
}

/**
 * Starts metrics (and spans, if asked) without opening a port: the app serves `metricsText()` itself. The SDK is loaded
 * only here, so that a library or test that needs a Logger or `noopMetrics()` does not pay for it.
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { startSdk } = await import('./otel-sdk.js');
  return startSdk(options);
}
