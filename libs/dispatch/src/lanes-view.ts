import type { LaneControl } from '@commservice/postgres';
import type { ScopeView } from '@commservice/priority-mutex';
import type { LiveCatalogueView } from './catalogue/live-catalogue.js';
import { held } from './controls/control-words.js';
import type { DispatchLane } from './lane.js';
import type { SkippedView } from './limits/skipping-stage.js';

/** One lane in `GET /lanes`. */
export interface LaneView {
  readonly lane: string;
  readonly account: string;
  /** Accounts that the lane's codes go to when its own fails. */
  readonly failover: readonly string[];
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
  /** Present while an operator holds the lane: it fetches until its queue is full and sends nothing. */
  readonly paused?: HeldView;
  /** What the next record waits for; absent when nothing waits. */
  readonly waitingFor?: { readonly cause: string; readonly forMs: number };
  /** What was put aside because a narrow limit (brand, recipient) holds it; absent when nothing is. */
  readonly aside?: SkippedView;
}

/** Who ordered what holds, since when (ISO 8601) and why. */
export interface HeldView {
  readonly since: string;
  /** Key id of the operator. */
  readonly by: string;
  readonly reason: string;
}

/** One scope, and who says its mode. */
export interface ModedScopeView extends ScopeView {
  readonly modeOrigin: 'catalogue' | 'operator';
  /** Present where an operator set the mode. */
  readonly modeSet?: HeldView;
}

export interface LanesView {
  readonly pod: string;
  readonly lanes: readonly LaneView[];
  readonly scopes: readonly ModedScopeView[];
  /** The catalogue that this process follows. */
  readonly catalogue: LiveCatalogueView;
  /** Age of what this pod knows of operators' orders, ms; above 2 000 PostgreSQL does not answer. */
  readonly controlsAgeMs: number;
}

export function laneView(lane: DispatchLane): LaneView {
  const waitingFor = lane.meters.waitingFor;
  const aside = lane.skipping.view();
  return {
    lane: lane.name,
    account: lane.accountName,
    failover: lane.sender.routes.accounts.slice(1).map((a) => a.name),
    group: lane.group,
    topics: lane.topics,
    state: lane.notReady ?? 'ready',
    queued: lane.queue.depth,
    inFlight: lane.worker.inFlight,
    lag: lane.topics.reduce((sum, topic) => sum + lane.consumer.lag(topic), 0),
    sent: lane.meters.sends,
    ownership: lane.meters.ownership(),
    ...(lane.paused ? { paused: held(lane.paused) } : {}),
    ...(waitingFor ? { waitingFor } : {}),
    ...(aside ? { aside } : {}),
  };
}

/** @param set the operator's order that counts, if there is one */
export const modedScope = (scope: ScopeView, set: LaneControl | undefined): ModedScopeView => ({
  ...scope,
  ...(set ? { modeOrigin: 'operator', modeSet: held(set) } : { modeOrigin: 'catalogue' }),
});
