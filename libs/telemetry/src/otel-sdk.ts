import { context, diag, metrics as globalMetrics, trace } from '@opentelemetry/api';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { startNodeSdk } from '@opentelemetry/sdk-node';
import { setTimeout as delay } from 'node:timers/promises';
import { observeEventLoopDelay } from './event-loop-delay.js';
import { createMetrics } from './metric-handles.js';
import type { Telemetry, TelemetryOptions } from './telemetry.js';

const SCOPE = 'commservice';

/** See `startTelemetry`, which loads this file. */
export function startSdk(options: TelemetryOptions): Telemetry {
  const reader = new PrometheusExporter({ preventServerStart: true });
  const sdk = startNodeSdk({
    logLevel: 'error',
    resourceAttributes: {
      'service.name': options.service,
      'service.instance.id': options.pod,
      ...(options.build === undefined ? {} : { 'service.version': options.build }),
    },
    // detectors would publish host, pid and command line
    resourceDetectors: [],
    metricReaders: [reader],
    logRecordProcessors: [],
    propagators: [],
    ...(options.traces === 'otlp' ? {} : { spanProcessors: [] }),
  });
  const metrics = createMetrics(globalMetrics.getMeter(SCOPE));
  const stopObserving = observeEventLoopDelay(metrics);
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
  let stopped = false;
  return {
    metrics,
    tracer: trace.getTracer(SCOPE),
    metricsText: async () => serializer.serialize((await reader.collect()).resourceMetrics),
    shutdown: async (deadlineMs) => {
      if (stopped) return;
      stopped = true;
      stopObserving();
      // an exporter that cannot reach its collector must not keep the process from ending
      const flushed = sdk.shutdown().catch(() => undefined);
      await Promise.race([flushed, delay(deadlineMs, undefined, { ref: false })]);
      unsetGlobals();
    },
  };
}

/** So that a later start in the same process (tests) is not handed the stopped providers. */
function unsetGlobals(): void {
  globalMetrics.disable();
  trace.disable();
  context.disable();
  diag.disable();
}
