import type { Priority } from '@commservice/contracts';
import type { ByClass } from './coordinator.js';

/** One number a class, most urgent first: the shape both the twin and the Lua script keep. */
export type Triple = [number, number, number];

export const triple = (by: ByClass<number>): Triple => [by.P1, by.P2, by.P3];
export const byClass = ([P1, P2, P3]: Triple): ByClass<number> => ({ P1, P2, P3 });
export const classIndex = (priority: Priority): 0 | 1 | 2 =>
  priority === 'P1' ? 0 : priority === 'P2' ? 1 : 2;

/** What the coordinator remembers of one pod. Times in ms of the coordinator's clock. */
export interface PodState {
  /** Number that marks its slots; never reused while the state lives. */
  ordinal: number;
  seenAt: number;
  /** Until then its demand counts and its share is not withheld. */
  heardUntil: number;
  rate: number;
  /** Version of its catalogue. */
  version: number;
  demand: Triple;
  ownership: Triple;
  /** Until when each class of this pod presses: only ever extended. */
  press: Triple;
  wantsStock: boolean;
  stockAllowed: number;
  /** Sequence of the answer made for it last; a pod that has seen less did not get that answer. */
  issued: number;
}

/** Everything the coordinator keeps for one scope. */
export interface ScopeState {
  run: string;
  /** When it was leased from last. */
  atMs: number;
  sequence: number;
  ordinals: number;
  /** Departures are slots of one grid: slot n falls due at `originMs` + n · `stepMs`. A change of rate starts a new grid. */
  grid: number;
  originMs: number;
  stepMs: number;
  /** Slot of `owners[0]`. */
  base: number;
  /** Ordinal of the pod that holds each slot; 0 = free. */
  owners: number[];
  pods: Map<string, PodState>;
  /** Shares that count. */
  shares: Triple;
  blockedSince: Triple;
  /** When the next unit of a class's minimum share is due. */
  nextMinimum: Triple;
  /** Until when a class counts as spread over pods that were all heard once: what is not heard now spends on its own. */
  wholeUntil: Triple;
  /** P1 units started, by second; at most 11 entries. */
  p1Started: { second: number; units: number }[];
}

/** Part of R that is granted; the rest covers late starts and the standing stock. */
export const PACE = 0.98;
/** Standing P1 stock of a scope over all pods, in parts of R. */
export const STOCK_SHARE = 0.02;
/** A pod not heard for this long is dead. */
export const PRESENCE_MS = 2000;
/** How far a new life's sequence starts ahead: other pods have seen a little more of the life before than the first to call. */
export const NEW_LIFE_AHEAD = 1000;
/** The clock went back further than this: what the state says of time is worth nothing. */
export const CLOCK_SLACK_MS = 1;
/** From this sum of ownership on, all partitions of a class are heard of. */
export const WHOLE = 0.99;
/** How long a class that was heard whole keeps its share from the others while it is not heard. */
export const WHOLE_MEMORY_MS = 3_600_000;
/** The minimum share of a class, in parts of R: one unit every 50 / R seconds. */
export const MINIMUM_SHARE = 0.02;
/** Above this part of R, P1 alone fills the account and the minimum share is suspended. */
export const P1_FULL = 0.8;
/** Over how many seconds P1's use is measured. */
export const P1_WINDOW_S = 10;
