import type { Clock } from '@commservice/contracts';
import type { Timers } from '../ports.js';
import type { Coordinator, LeaseAnswer, LeaseRequest } from './coordinator.js';

export type Authority = 'starting' | 'coordinated' | 'alone';

export interface LinkOptions {
  readonly coordinator: Coordinator;
  /** Grants this pod's own share while the coordinator is silent. */
  readonly fallback: Coordinator;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly deadlineMs: number;
  /** Between two attempts to reach the coordinator while alone. */
  readonly probeMs: number;
  /** How soon the first answer must come: until then the pod counts as having announced its next call. */
  readonly aloneAfterMs: number;
  /**
   * How long departures last that the coordinator granted to others before it missed this pod's call: the pod is alone
   * this long after the moment by which it had announced its next call.
   */
  readonly settleMs: () => number;
  /** An answer read this long after its call (the pod was frozen) tells nothing: all it grants is past. */
  readonly staleAfterMs: () => number;
  /** @param alone whether the request goes to the fallback */
  readonly request: (alone: boolean) => LeaseRequest;
  readonly onAnswer: (answer: LeaseAnswer, sentAtMs: number, toLocal: (ms: number) => number) => void;
  readonly onUnanswered: (request: LeaseRequest, reason: string) => void;
  readonly onAuthority: (now: Authority, before: Authority) => void;
  readonly onCall: (answered: boolean, durationMs: number) => void;
  /** Whether the coordinator may be silent: no grants may come for a while, and the pod is not alone yet. */
  readonly onDoubt: (doubtful: boolean) => void;
}
