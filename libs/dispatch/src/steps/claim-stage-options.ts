import type { LocalClaims } from '@commservice/batch-safety';
import type { Clock, Priority } from '@commservice/contracts';
import type { LaneItem } from '../lane-item.js';

/** The claims of one process, as the claim stage uses them (`LocalClaims`). */
export type Claims = Pick<LocalClaims, 'claimInMemory' | 'claim' | 'release'>;

export interface ClaimStageOptions {
  readonly priority: Priority;
  readonly claims: Claims;
  readonly clock: Clock;
  /** How long a reservation made now holds (that of `claims`): twice the longest call. */
  readonly reserveMs: () => number;
  /** An item was found to have been sent before. */
  readonly onDuplicate: (item: LaneItem) => void;
  /** Something became ready. */
  readonly onReady: () => void;
}
