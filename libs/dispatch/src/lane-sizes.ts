import { BoundedQueue } from '@commservice/batch-safety';
import {
  RETRY_TIERS,
  SLICE_LIMIT,
  laneTopic,
  retryTopic,
  type Clock,
  type Lane,
} from '@commservice/contracts';
import type { AccountState } from './account/account-state.js';
import type { LaneSource, Waiting } from './lane-queue.js';
import { teamOf } from './team-of.js';

const MIB = 1024 * 1024;
/** Waiting records of one topic: enough for some seconds at full rate, little enough to drop at a rebalance. */
const QUEUE_ITEMS = { P1: 2_000, P2: 2_000, P3: 5_000 } as const;
const QUEUE_BYTES = 16 * MIB;
/** Seconds of the account's rate that are claimed ahead of their tokens. */
const CLAIM_AHEAD_S = 0.2;
const P1_WINDOW = 64;

/** The topics of a lane, or of its retry lane, each with its own bounded queue; a full one pauses fetching (`block`). */
export function sourcesOf(lane: Lane, retry: boolean, clock: Clock): LaneSource[] {
  const capacity = { items: QUEUE_ITEMS[lane.priority], bytes: QUEUE_BYTES };
  // teams take turns; a retry tier stays in the order in which its records fall due
  const flowOf = retry ? undefined : (waiting: Waiting): string => teamOf(waiting.record.value);
  const source = (topic: string, delayMs: number): LaneSource => ({
    topic,
    delayMs,
    queue: new BoundedQueue({ capacity, onFull: 'block' }, (waiting) => waiting.record.bytes, clock, flowOf),
  });
  if (!retry) return [source(laneTopic(lane), 0)];
  return RETRY_TIERS[lane.priority].map((tier) => source(retryTopic(lane, tier.name), tier.delayMs));
}

/** Most items of a lane that are claimed ahead of their tokens: one slice at most. */
export function windowOf(lane: Lane, account: AccountState): number {
  if (lane.priority === 'P1') return P1_WINDOW;
  const ahead = Math.ceil(account.account.ratePerSecond * CLAIM_AHEAD_S);
  return Math.max(1, Math.min(SLICE_LIMIT[lane.priority], ahead));
}
