import type { MutexMode, Priority } from '@commservice/contracts';

/** Units or times by class, most urgent first. */
export type ByClass<T> = Readonly<Record<Priority, T>>;

/** One call of a pod: what it wants, holds, presses and gives up. Times in ms. */
export interface LeaseRequest {
  readonly scope: string;
  readonly pod: string;
  readonly catalogueVersion: number;
  /** R as this pod knows it; the smallest of all live pods counts. */
  readonly ratePerSecond: number;
  readonly shares: ByClass<number>;
  readonly mode: MutexMode;
  /** Units wanted within the horizon, those already held included. */
  readonly demand: ByClass<number>;
  /** Classes of this pod that press now. */
  readonly pressing: readonly Priority[];
  /** How long a press counts from now. */
  readonly pressForMs: number;
  /** This pod's part of each class's partitions. */
  readonly ownership: ByClass<number>;
  /** Whether this pod has P1 lanes, so that it gets a part of the standing stock. */
  readonly wantsStock: boolean;
  /** P1 units started since the last answered call. */
  readonly p1Started: number;
  /** Slots of `grid` that this pod will not use. */
  readonly released: readonly number[];
  readonly grid: number;
  /** Highest sequence this pod has seen: an older state (a lagging replica) is discarded. */
  readonly seenSequence: number;
  /** How far ahead departures are granted. */
  readonly horizonMs: number;
  /** This pod calls again within this time, or counts as unheard. */
  readonly nextCallWithinMs: number;
  /** A class blocked longer than this gets its minimum share. */
  readonly maxBlockMs: number;
}

/** A unit's permission to start at `dueMs`, in the coordinator's time. */
export interface GrantedSlot {
  readonly slot: number;
  readonly dueMs: number;
  readonly priority: Priority;
  /** Granted through a closed gate: only this class may use it. */
  readonly minimumShare: boolean;
}

export interface Hold {
  readonly priority: Priority;
  readonly pod: string;
  /** Coordinator's time. */
  readonly untilMs: number;
}

export interface LeaseAnswer {
  /** Coordinator's time at the call, epoch ms with fractions. */
  readonly nowMs: number;
  /** Changes when the coordinator lost its memory: standing stock is void then. */
  readonly run: string;
  readonly sequence: number;
  readonly grid: number;
  readonly slots: readonly GrantedSlot[];
  readonly holds: readonly Hold[];
  /** Since when each class is blocked, coordinator's time; 0 when it is not. */
  readonly blockedSinceMs: ByClass<number>;
  readonly pods: number;
  /** Oldest and newest catalogue version of the live pods; they agree when both are the same. */
  readonly versions: { readonly oldest: number; readonly newest: number };
  /** Shares that count: those of the newest version, taken over only while every class is heard whole. */
  readonly shares: ByClass<number>;
  /** R that counts: the smallest of the live pods. */
  readonly ratePerSecond: number;
  /** Time between two departures of the whole scope. */
  readonly stepMs: number;
  /** Standing P1 tokens this pod may hold. */
  readonly stockAllowed: number;
}

export type LeaseResult =
  | { readonly kind: 'answer'; readonly answer: LeaseAnswer }
  | { readonly kind: 'no-answer'; readonly reason: string };

/** What one pod tells the others outside a lease: classes press, or slots came free. */
export type Edge =
  | { readonly kind: 'press'; readonly pod: string; readonly holds: readonly Hold[] }
  | { readonly kind: 'freed'; readonly pod: string };

/** The one authority over tokens and gate of all scopes. Implementations: Redis, and its twin in memory. */
export interface Coordinator {
  /** Never rejects; `no-answer` within `deadlineMs`. */
  lease(request: LeaseRequest, deadlineMs: number): Promise<LeaseResult>;
  /** The pod leaves: its slots, holds and stock are free at once. Never rejects. */
  leave(scope: string, pod: string, deadlineMs: number): Promise<void>;
  /** Edges of other pods, and of this one. Messages may be lost: the poll makes up for them. */
  onEdge(scope: string, listener: (edge: Edge) => void): () => void;
}
