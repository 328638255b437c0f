export * from './event-loop-delay.js';
export * from './logger.js';
export * from './mask.js';
export {
  BATCH_CLOSED_BY,
  CALL_OUTCOMES,
  CLAIM_RESULTS,
  PRODUCE_RESULTS,
  RECORD_OUTCOMES,
  TOPIC_KINDS,
  WAIT_CAUSES,
} from './metric-attributes.js';
export * from './metric-handles.js';
export type * from './metric-kinds.js';
export * from './metrics.js';
export { createHttpApp, type AppModule, type HttpOptions, type HttpParts } from './nest/http-app.js';
export { runService, type RunServiceOptions } from './nest/run-service.js';
export type { HostProcess, ServicePlan, ServiceRuntime } from './nest/service-runtime.js';
export * from './pino-logger.js';
export * from './readiness.js';
export { REDACTED_KEYS } from './redact.js';
export * from './serialize-error.js';
export * from './shutdown.js';
export * from './start-fault.js';
export * from './telemetry.js';
export * from './trace.js';
