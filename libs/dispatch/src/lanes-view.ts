import type { ScopeView } from '@commservice/priority-mutex';
import type { DispatchLane } from './lane.js';

/** One lane in `GET /lanes`. */
export interface LaneView {
  readonly lane: string;
  readonly account: string;
  readonly group: string;
  readonly topics: readonly string[];
  /** `ready`, or why not, in a plain sentence. */
  readonly state: string;
  /** Records fetched and waiting in this pod. */
  readonly queued: number;
  readonly inFlight: number;
  /** Records behind the topics' ends, over the partitions owned here. */
  readonly lag: number;
  /** Sends started since the process did. */
  readonly sent: number;
  readonly ownership: number;
  /** What the next record waits for; absent when nothing waits. */
  readonly waitingFor?: { readonly cause: string; readonly forMs: number };
}

export interface LanesView {
  readonly pod: string;
  readonly lanes: readonly LaneView[];
  readonly scopes: readonly ScopeView[];
}

export function laneView(lane: DispatchLane): LaneView {
  const waitingFor = lane.meters.waitingFor;
  return {
    lane: lane.name,
    account: lane.accountName,
    group: lane.group,
    topics: lane.topics,
    state: lane.notReady ?? 'ready',
    queued: lane.queue.depth,
    inFlight: lane.worker.inFlight,
    lag: lane.topics.reduce((sum, topic) => sum + lane.consumer.lag(topic), 0),
    sent: lane.meters.sends,
    ownership: lane.meters.ownership(),
    ...(waitingFor ? { waitingFor } : {}),
  };
}
