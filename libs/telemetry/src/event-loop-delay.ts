import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics, StopObserving } from './metric-handles.js';

/** Nanoseconds of a second. */
const NANOSECONDS = 1e9;
/** How often the loop is sampled; its own period is part of each sample and is taken off. */
const RESOLUTION_MS = 10;

/**
 * Exports how late the event loop runs as `commservice.eventloop.delay` (p50, p99, max since the last scrape).
 * @returns stops sampling
 */
export function observeEventLoopDelay(metrics: Metrics): StopObserving {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  const seconds = (ns: number): number => Math.max(0, ns / NANOSECONDS - RESOLUTION_MS / 1000);
  const stop = metrics.observe('eventLoopDelay', () => {
    if (histogram.count === 0) return [];
    const readings = [
      { value: seconds(histogram.percentile(50)), attributes: { quantile: 'p50' as const } },
      { value: seconds(histogram.percentile(99)), attributes: { quantile: 'p99' as const } },
      { value: seconds(histogram.max), attributes: { quantile: 'max' as const } },
    ];
    histogram.reset();
    return readings;
  });
  return () => {
    stop();
    histogram.disable();
  };
}
