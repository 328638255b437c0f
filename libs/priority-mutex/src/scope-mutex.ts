import type { Clock, MutexMode, Priority } from '@commservice/contracts';
import type { Coordinator } from './coordinator/coordinator.js';
import { ScopeGate } from './gate/scope-gate.js';
import { LeaseLoop } from './lease-loop.js';
import { checkContract, type ScopeContract } from './scope-contract.js';
import type { ScopeParts } from './scope-parts.js';
import { systemTimers, type MutexLogger, type MutexMetrics, type Timers } from './ports.js';
import { initialFacts } from './scope-facts.js';
import { scopeView } from './scope-report.js';
import { ScopeSeat } from './scope-seat.js';
import { ScopeTokens } from './scope-tokens.js';
import type { ScopeView } from './scope-view.js';
import { SeatTable } from './seat-table.js';
import type { LaneSeat, Seat } from './seat.js';
import { DEFAULT_TIMING, type MutexTiming } from './timing.js';
import { Departures } from './tokens/departures.js';

export interface ScopeMutexOptions extends ScopeContract {
  /** The account that lanes compete for. */
  readonly scope: string;
  /** Name of this process, unique among those alive; no spaces. */
  readonly pod: string;
  /** How classes give way at first; see `setMode`. */
  readonly mode: MutexMode;
  readonly coordinator: Coordinator;
  readonly clock: Clock;
  readonly logger: MutexLogger;
  readonly metrics: MutexMetrics;
  /** Default: the process's own. */
  readonly timers?: Timers;
  readonly timing?: Partial<MutexTiming>;
}

/**
 * Tokens and gate of one scope in one pod; all lanes of that account in this process share it.
 * States: IDLE → RUNNING by `start` → STOPPED by `stop`, for good. Before and after RUNNING every take is `no-answer`.
 * Invariants: no call waits for the coordinator; P1 seats are woken before P2's, those before P3's; without an answer of
 * the coordinator the pod spends only its own share. Callers: lanes of libs/dispatch.
 */
export class ScopeMutex {
  private readonly parts: ScopeParts;
  private readonly loop: LeaseLoop;
  private state: 'idle' | 'running' | 'stopped' = 'idle';

  /** Throws on options that break a rule: a broken environment. */
  constructor(options: ScopeMutexOptions) {
    checkOptions(options);
    const { mode, ratePerSecond, shares, catalogueVersion, ...rest } = options;
    const { scope, pod, metrics } = rest;
    const timing = { ...DEFAULT_TIMING, ...options.timing };
    const seats = new SeatTable();
    const departures = new Departures(timing.lapseMs);
    const facts = initialFacts({ ratePerSecond, shares, catalogueVersion }, mode);
    const gate = new ScopeGate(pod, timing, seats, departures, facts);
    const tokens = new ScopeTokens(scope, seats, departures, gate, facts, metrics, () =>
      this.loop.nextLeaseMs(),
    );
    this.parts = { timers: systemTimers, ...rest, timing, seats, departures, gate, tokens, facts };
    this.loop = new LeaseLoop(this.parts);
  }

  /** Begins to lease. Returns at once; P1 waits for the first answer at most as long as for any other. */
  start(): void {
    if (this.state !== 'idle') return;
    this.state = 'running';
    this.loop.start();
  }

  /** Gives unused tokens up and leaves the pod set; waits at most one call's deadline. */
  async stop(): Promise<void> {
    if (this.state === 'running') await this.loop.stop();
    this.state = 'stopped';
  }

  /**
   * Changes the mode, for this pod, from now on; all pods of a scope are told. A hold that began before ends by itself. To or
   * from `local` another authority grants: tokens of the one before are dropped, and nothing departs for one horizon at most.
   */
  setMode(mode: MutexMode): void {
    const { facts, logger, scope } = this.parts;
    const before = facts.mode;
    if (before === mode) return;
    facts.mode = mode;
    logger.info({ scope, mode, before }, 'the mode of the scope changed');
    this.loop.modeChanged(before);
  }

  /**
   * Takes a changed contract over: the next lease carries it, at once. While pods disagree the smallest R counts, and the
   * shares of the newest catalogue; what was granted before departs on the grid it was granted on. Throws on a contract that
   * breaks a rule, and keeps the one before.
   */
  setContract(contract: ScopeContract): void {
    checkContract(contract);
    const { facts, logger, scope } = this.parts;
    const { ratePerSecond, shares, catalogueVersion } = contract;
    const before = facts.contract;
    facts.contract = { ratePerSecond, shares, catalogueVersion };
    logger.info({ scope, before, contract: facts.contract }, 'the contract of the scope changed');
    this.loop.contractChanged();
  }

  /** Seats a lane of class `priority`. */
  join(priority: Priority, seat: LaneSeat): Seat {
    const { clock, seats, gate, tokens } = this.parts;
    const joined = new ScopeSeat(priority, seat, {
      clock,
      seats,
      gate,
      tokens,
      loop: this.loop,
      running: () => this.state === 'running',
    });
    this.loop.react();
    return joined;
  }

  /** The scope as this pod sees it now. */
  view(): ScopeView {
    return scopeView(this.parts, this.loop);
  }
}

function checkOptions(o: ScopeMutexOptions): void {
  const t = { ...DEFAULT_TIMING, ...o.timing };
  const fault = (field: string, rule: string): never => {
    throw new RangeError(`priority-mutex: ${field} ${rule}`);
  };
  checkContract(o);
  if (/\s/.test(o.pod) || o.pod === '') fault('pod', 'must be a name without spaces');
  if (t.horizonMs <= t.tickMs) fault('timing.horizonMs', 'must be longer than timing.tickMs');
  if (t.holdMs < t.tickMs) fault('timing.holdMs', 'must not be shorter than timing.tickMs');
  if (t.holdMs < t.pressRefreshMs) fault('timing.holdMs', 'must not be shorter than timing.pressRefreshMs');
  if (t.strictHoldMs < t.pressRefreshMs)
    fault('timing.strictHoldMs', 'must not be shorter than timing.pressRefreshMs');
}
