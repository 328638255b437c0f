import type { Clock } from '@commservice/contracts';
import type { Coordinator } from './coordinator/coordinator.js';
import type { ScopeGate } from './gate/scope-gate.js';
import type { MutexLogger, MutexMetrics, Timers } from './ports.js';
import type { ScopeFacts } from './scope-facts.js';
import type { ScopeTokens } from './scope-tokens.js';
import type { SeatTable } from './seat-table.js';
import type { MutexTiming } from './timing.js';
import type { Departures } from './tokens/departures.js';

/** What one scope is made of in one pod. */
export interface ScopeParts {
  readonly scope: string;
  readonly pod: string;
  readonly coordinator: Coordinator;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly timing: MutexTiming;
  readonly logger: MutexLogger;
  readonly metrics: MutexMetrics;
  readonly seats: SeatTable;
  readonly departures: Departures;
  readonly gate: ScopeGate;
  readonly tokens: ScopeTokens;
  readonly facts: ScopeFacts;
}
