import type { Clock, Lane } from '@commservice/contracts';
import type { LaneConsumer } from '@commservice/kafka';
import type { LaneItem } from './lane-item.js';
import type { LaneMeters } from './lane-meters.js';
import type { LaneQueue } from './lane-queue.js';
import type { Routes } from './routes.js';
import type { Settler } from './settler.js';
import type { AdmitStep } from './steps/admit.js';
import type { ClaimStage } from './steps/claim-stage.js';
import type { Verdict } from './steps/verdict.js';
import type { WakeTimer } from './wake-timer.js';

/** Sends the items a slot took; resolves with one verdict each. Never rejects. Reached through the lane's Nest handler. */
export type SlotHandler = (slice: readonly LaneItem[]) => Promise<readonly Verdict[]>;

export interface LaneWorkerParts {
  readonly lane: Lane;
  readonly queue: LaneQueue;
  readonly admit: AdmitStep;
  readonly claims: ClaimStage;
  readonly consumer: Pick<LaneConsumer, 'ownershipFresh'>;
  readonly routes: Routes;
  readonly settler: Settler;
  readonly meters: LaneMeters;
  readonly timer: WakeTimer;
  readonly clock: Clock;
  /** Whether an operator holds the lane: nothing is taken or started, what is in the air goes on. */
  readonly held: () => boolean;
  /** Most items claimed ahead of their tokens. */
  readonly windowItems: () => number;
}
