import type { MutexMode, Priority } from '@commservice/contracts';

/** Who keeps a class from starting. */
export interface Blocker {
  readonly priority: Priority;
  /** `this pod` for its own lanes, else the pod's name. */
  readonly pod: string;
  /** How much longer, in ms, unless extended. */
  readonly remainingMs: number;
}

export interface ClassView {
  readonly gate: 'open' | 'blocked' | 'minimum-share';
  readonly blockedBy: readonly Blocker[];
  /** How long it has been blocked, in ms; 0 when open. */
  readonly blockedForMs: number;
  /** Units that wait in this pod. */
  readonly waitingUnits: number;
  /** Departures held for this class in this pod, due or not. */
  readonly tokens: number;
  /** Totals of this pod since its start, in units. */
  readonly granted: number;
  readonly borrowed: number;
}

/** Which catalogue holds in the scope. */
export interface CatalogueView {
  /** Version that this pod follows. */
  readonly version: number;
  /** Oldest and newest version of the live pods; absent while the coordinator tells nothing. */
  readonly oldest?: number;
  readonly newest?: number;
  /** Whether live pods follow different versions: the smallest R counts until they agree. */
  readonly podsDisagree: boolean;
}

/** One scope as this pod sees it, in plain data, for `GET /lanes`. */
export interface ScopeView {
  readonly scope: string;
  readonly pod: string;
  readonly mode: MutexMode;
  /** `coordinated`: Redis grants; `alone`: Redis is silent, this pod's share counts; `starting`: no answer yet. */
  readonly authority: 'starting' | 'coordinated' | 'alone';
  /** R that counts now, units per second: the smallest of all live pods. */
  readonly ratePerSecond: number;
  /** Shares that count now: those of the newest catalogue of all live pods. */
  readonly shares: Readonly<Record<Priority, number>>;
  readonly catalogue: CatalogueView;
  readonly pods: number;
  /** Time since the last answer, in ms; absent before the first. */
  readonly viewAgeMs?: number;
  /** Standing P1 tokens held and allowed in this pod. */
  readonly stock: number;
  readonly stockAllowed: number;
  readonly classes: Readonly<Record<Priority, ClassView>>;
  /** Units that fell due and were used by nobody in time, since start. */
  readonly lapsed: number;
  /** Coordinator calls, and those without an answer, since start. */
  readonly leases: number;
  readonly leasesUnanswered: number;
}
