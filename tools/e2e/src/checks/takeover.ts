import { until } from '@commservice/testkit';
import type { AppName } from '@commservice/tools-stack';
import type { JourneyPlatform } from '../platform/journey-platform.js';

interface LaneState {
  readonly lane: string;
  readonly state: string;
  readonly ownership: number;
}

/** Waits until a pod owns every partition of every lane of its channel; a dead pod's session lasts 10 s. */
export async function untilOwnsAll(platform: JourneyPlatform, pod: AppName): Promise<void> {
  let lanes: readonly LaneState[] = [];
  const look = async (): Promise<boolean> => {
    const response = await fetch(`${platform.urls.apps[pod]}/lanes`, { signal: AbortSignal.timeout(2_000) });
    ({ lanes } = (await response.json()) as { lanes: LaneState[] });
    return lanes.length > 0 && lanes.every((l) => l.ownership === 1 && l.state === 'ready');
  };
  await until(look, {
    deadlineMs: 40_000,
    everyMs: 100,
    describe: () => `${pod} owns ${lanes.map((l) => `${l.lane} ${l.ownership} (${l.state})`).join(', ')}`,
  });
}
