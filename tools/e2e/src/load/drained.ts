import { until } from '@commservice/testkit';
import type { AppName } from '@commservice/tools-stack';
import { Operator, type PodView } from '../client/operator.js';
import type { JourneyPlatform } from '../platform/journey-platform.js';

/** Waits until these pods have nothing waiting, nothing queued and nothing in the air: the next measurement begins clean. */
export async function untilDrained(
  platform: JourneyPlatform,
  pods: readonly AppName[],
  deadlineMs = 60_000,
): Promise<void> {
  const operators = pods.map((pod) => new Operator(platform.urls.apps[pod]));
  let open: PodView['lanes'] = [];
  const look = async (): Promise<boolean> => {
    const views = await Promise.all(operators.map((o) => o.view()));
    open = views.flatMap((v) => v.lanes).filter((l) => l.lag + l.queued + l.inFlight > 0);
    return open.length === 0;
  };
  await until(look, {
    deadlineMs,
    stallMs: 30_000,
    everyMs: 100,
    describe: () => open.map((l) => `${l.lane}: ${l.lag} behind, ${l.queued} queued`).join(', '),
  });
}
