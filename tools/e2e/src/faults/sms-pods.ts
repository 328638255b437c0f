import { until } from '@commservice/testkit';
import type { JourneyPlatform } from '../platform/journey-platform.js';
import { Operator } from '../client/operator.js';

export type SmsPod = 'sms-1' | 'sms-2';

/** Waits until every sms lane of both pods is ready and shared by them: each owns a part, together all of it. */
export async function untilShared(platform: JourneyPlatform): Promise<void> {
  const pods = (['sms-1', 'sms-2'] as const).map((pod) => new Operator(platform.urls.apps[pod]));
  let shown = '';
  const look = async (): Promise<boolean> => {
    const views = await Promise.all(pods.map((pod) => pod.view()));
    const [one = [], two = []] = views.map((view) => view.lanes);
    shown = [...one, ...two].map((l) => `${l.lane} ${l.ownership} (${l.state})`).join(', ');
    const shared = one.every((lane) => {
      const other = two.find((l) => l.lane === lane.lane);
      return lane.ownership > 0 && other && other.ownership > 0 && lane.ownership + other.ownership === 1;
    });
    return one.length > 0 && shared && [...one, ...two].every((l) => l.state === 'ready');
  };
  await until(look, { deadlineMs: 40_000, everyMs: 100, describe: () => `both pods share: ${shown}` });
}
