/** Injection token of the function that renders all metrics. */
export const METRICS_TEXT = Symbol('commservice.metrics-text');
export type MetricsText = () => Promise<string>;
