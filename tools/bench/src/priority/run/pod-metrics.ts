import { counterOf, samplesOf } from '@commservice/testkit';
import type { PodMetrics } from './subject.js';

const ASK_MS = 5_000;

/** What one process says of itself. */
export function parsePodMetrics(text: string): PodMetrics {
  const delays = samplesOf(text, 'commservice_eventloop_delay');
  const delayMs = (quantile: string): number =>
    Math.max(0, ...delays.filter((d) => d.labels.includes(`"${quantile}"`)).map((d) => d.value * 1000));
  return {
    leaseCalls: counterOf(text, 'commservice_lease_calls_total'),
    loopP99Ms: delayMs('p99'),
    loopMaxMs: delayMs('max'),
  };
}

/** Asks each process; calls add up, of delays the longest counts. */
export async function readPodMetrics(urls: readonly string[]): Promise<PodMetrics> {
  const all = await Promise.all(
    urls.map(async (url) => {
      const response = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(ASK_MS) });
      return parsePodMetrics(await response.text());
    }),
  );
  return {
    leaseCalls: all.reduce((sum, pod) => sum + pod.leaseCalls, 0),
    loopP99Ms: Math.max(...all.map((pod) => pod.loopP99Ms)),
    loopMaxMs: Math.max(...all.map((pod) => pod.loopMaxMs)),
  };
}
