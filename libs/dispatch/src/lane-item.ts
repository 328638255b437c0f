import type { FetchedRecord } from '@commservice/kafka';
import type { Reservation } from './limits/reservation.js';
import type { Address, Content, Message } from '@commservice/contracts';

/** One decoded, opened record of a lane on its way to the provider. */
export interface LaneItem {
  readonly record: FetchedRecord;
  readonly message: Message;
  readonly address: Address;
  readonly content: Content;
  /** Redrive generation; 0 = never replayed. */
  readonly generation: number;
  /** Attempts that failed before this one. */
  readonly attempts: number;
  readonly traceparent: string;
  /** Monotonic ms at which it could first have been sent: fetched, or due from its retry tier. */
  readonly waitingSince: number;
  /** Monotonic ms of its claim; a reservation older than half its time is asked for again. */
  claimedAt: number;
  /** How long that reservation holds, ms: one call of it lasts half as long at most. */
  reservedMs: number;
  /** Its place among those of its lane that narrow limits look at. */
  order: number;
  /** What it counts at narrow limits; undefined without any. */
  narrow: Reservation | undefined;
  /** An earlier owner may have sent it: the effect of that send is not known. */
  takenOver: boolean;
  /** Index of the account of its latest call; 0 = the lane's own. */
  route: number;
  /** Accounts that have just failed it, a bit each: it goes to another while there is one. */
  avoid: number;
  /** How often it came back to the front of the line. */
  returns: number;
}
