import type { Priority } from '@commservice/contracts';

/** What a lane tells its scope. All three are called synchronously and must be cheap. */
export interface LaneSeat {
  /** Units that could start now if they had tokens; `nextUnits` those of the first send; 0 and 0 when nothing waits. */
  waiting(): Waiting;
  /** Something may start: the lane calls `take` until it is refused. Called synchronously, P1 seats first. */
  wake(): void;
  /** The lane's partitions owned by this pod divided by all of them, 0..1: its quota while Redis does not answer. */
  ownership(): number;
}

export interface Waiting {
  readonly units: number;
  readonly nextUnits: number;
  /** Monotonic ms at which the oldest began to wait; absent when nothing waits. */
  readonly oldestSince?: number;
}

/** Permission to start one send of `units`. Either it starts at once, or it goes back. */
export interface Token {
  readonly units: number;
  readonly priority: Priority;
  /** Monotonic ms of the grant. */
  readonly takenAtMs: number;
  /** Whether a unit of it was reserved for another class. */
  readonly borrowed: boolean;
}

/** Why a send may not start: no departure yet, a higher class presses now, or it pressed a moment ago. */
export type WaitCause = 'token' | 'gate' | 'hold';

/**
 * `no-quota`: try again after `waitMs` or when woken, whichever is first. `no-answer`: the coordinator is silent and this
 * pod's own share is not due yet. Both are passing states; the scope wakes the seat when either ends.
 */
export type TakeResult =
  | { readonly kind: 'granted'; readonly token: Token }
  | { readonly kind: 'no-quota'; readonly waitMs: number; readonly cause: WaitCause }
  | { readonly kind: 'no-answer'; readonly waitMs: number };

/** One lane's place in its scope. */
export interface Seat {
  /** Asks for one send of `units` (≥ 1). Synchronous: never waits for Redis. */
  take(units: number): TakeResult;
  /** Returns an unused token (expired, duplicate, cut). A second call with the same token does nothing. */
  giveBack(token: Token): void;
  /** `waiting()` changed: from empty to something, or it grew. */
  demandChanged(): void;
  /** The account throttles or fails for this lane: lower classes stand back until then (monotonic ms). */
  pressAccount(reason: PressReason, untilMonotonicMs: number): void;
  /** The lane is gone. Its later calls are refused; leaving twice does nothing. */
  leave(): void;
}

export type PressReason = 'throttled' | 'failing';
