export { ScopeMutex, type ScopeMutexOptions } from './scope-mutex.js';
export type { LaneSeat, PressReason, Seat, TakeResult, Token, WaitCause, Waiting } from './seat.js';
export type { ScopeContract } from './scope-contract.js';
export type { Blocker, CatalogueView, ClassView, ScopeView } from './scope-view.js';
export { systemTimers, type MutexLogger, type MutexMetrics, type Timers } from './ports.js';
export { DEFAULT_TIMING, type MutexTiming } from './timing.js';
export type {
  Coordinator,
  Edge,
  GrantedSlot,
  Hold,
  LeaseAnswer,
  LeaseRequest,
  LeaseResult,
} from './coordinator/coordinator.js';
export type { EdgeSource, ScriptResult, ScriptRunner } from './coordinator/script-port.js';
export { MemoryCoordinator } from './coordinator/memory-coordinator.js';
export { RedisCoordinator } from './coordinator/redis-coordinator.js';
