/** One item to claim: a message id in one redrive generation (0 = never replayed). */
export interface ClaimRequest {
  readonly id: string;
  readonly generation: number;
}

/** What a claim came to. The caller may send only on `new`, and on `takeover` as promise 7 allows. */
export type ClaimAnswer =
  /** Nobody has or had it: it is reserved for the caller. */
  | { kind: 'new' }
  /** A duplicate: delivered to a provider before, or dead in the same generation. Nothing is to be sent. */
  | { kind: 'done' }
  /** Another owner, or another copy in this pod, is sending it now. Ask again after `waitMs`. */
  | { kind: 'busy'; waitMs: number }
  /** Reserved for the caller, but an earlier owner may have sent it: its reservation ran out unsettled. */
  | { kind: 'takeover' }
  /** No answer from the store in time. Unreachable is not duplicate. */
  | { kind: 'unknown' };

/** How a claimed item ended: delivered to a provider (or not to be repeated), or dead-lettered. */
export type ClaimEnd = 'done' | 'dead';

/**
 * Who has which item. States of an id: absent → RESERVED(owner, deadline) → DONE | DEAD(generation).
 * - RESERVED → RESERVED of another owner once its deadline passed (`takeover`); it stays marked as taken over.
 * - RESERVED → absent, or back to the DEAD it came from, by `release`: certainly not sent.
 * - DEAD(g) → RESERVED only by a claim of a later generation; DONE stays DONE.
 * Deadlines are in the store's own time. No method throws or rejects.
 * @see LocalClaims, which dispatchers use: it also tells two copies in one pod apart.
 */
export interface ClaimStore {
  /**
   * Claims a group in one round trip; answers are in the order of the group. An id that occurs twice in a group is
   * judged once, its later copies are `busy`.
   * @param owner unique for each process start: the same owner asking again gets the same answer
   * @param reserveMs how long the reservation holds before others may take it over; longer than the slowest call
   * @param deadlineMs longest wait for the store; default is the store's own
   */
  claim(
    group: readonly ClaimRequest[],
    owner: string,
    reserveMs: number,
    deadlineMs?: number,
  ): Promise<ClaimAnswer[]>;
  /** The item ended. Told in the background; `done` holds whoever had reserved it. */
  finish(id: string, end: ClaimEnd, owner: string, generation: number): void;
  /** The item was certainly not sent (retry, lapsed token, dropped): others may have it at once. Told in the background. */
  release(id: string, owner: string): void;
  /** Tells the store all that is waiting; false when some is still untold after `deadlineMs`. */
  flush(deadlineMs: number): Promise<boolean>;
}

/** How long each state is kept, in ms. */
export interface ClaimLifetimes {
  /** Default 72 h: longest TTL of a class plus what a topic keeps unread. */
  readonly doneMs: number;
  /** Default 21 d: the dead-letter topic's 14 d and 7 more. */
  readonly deadMs: number;
  /** Default 1 h: an unsettled reservation, past its deadline. */
  readonly reservedMs: number;
}

const HOUR_MS = 3_600_000;
export const CLAIM_LIFETIMES: ClaimLifetimes = {
  doneMs: 72 * HOUR_MS,
  deadMs: 21 * 24 * HOUR_MS,
  reservedMs: HOUR_MS,
};
