import type { MutexMode, Priority } from '@commservice/contracts';
import type { AgreedContract, ScopeContract } from './scope-contract.js';

/** What holds now: the mode and the contract (written by ScopeMutex), what the last lease told, and what was asked in it (by LeaseLoop). */
export interface ScopeFacts {
  /** The one place it is kept: every part reads it here, at every question. */
  mode: MutexMode;
  /** What this pod's catalogue says; every lease carries it. */
  contract: ScopeContract;
  /** R and shares as the coordinator last counted them; undefined before its first answer. */
  agreed: AgreedContract | undefined;
  /** Oldest and newest catalogue version of the live pods, by the coordinator's last answer. */
  versions: { readonly oldest: number; readonly newest: number } | undefined;
  /** R that counts now. */
  ratePerSecond: number;
  pods: number;
  run: string;
  sequence: number;
  grid: number;
  /** Until when the last answer granted departures; monotonic ms. */
  grantedUntilMs: number;
  /** Demand of the last call; 0 for a class that was blocked then. */
  readonly asked: Record<Priority, number>;
  /** Departures held when the last call was made. */
  heldAtAsk: number;
  /** Whether the last answer gave all that was asked for: whatever is missing since then is there for the asking. */
  covered: boolean;
  /** When the last call that was answered was made; monotonic ms. */
  answeredAtMs: number;
  /** Since when each class is blocked in the scope; monotonic ms, undefined when it is not. */
  readonly blockedSince: Record<Priority, number | undefined>;
  /** P1 units started since the last call. */
  p1Started: number;
  /** The last call had no answer. */
  silent: boolean;
}

export const initialFacts = (contract: ScopeContract, mode: MutexMode): ScopeFacts => ({
  mode,
  contract,
  agreed: undefined,
  versions: undefined,
  ratePerSecond: contract.ratePerSecond,
  pods: 1,
  run: '',
  sequence: 0,
  grid: 0,
  grantedUntilMs: -Infinity,
  asked: { P1: 0, P2: 0, P3: 0 },
  heldAtAsk: 0,
  covered: false,
  answeredAtMs: -Infinity,
  blockedSince: { P1: undefined, P2: undefined, P3: undefined },
  p1Started: 0,
  silent: false,
});
