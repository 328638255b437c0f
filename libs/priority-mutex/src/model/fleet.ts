import { PRIORITIES, type MutexMode, type Priority } from '@commservice/contracts';
import { noopMetrics, silentLogger } from '@commservice/telemetry';
import type { Coordinator, Edge, LeaseRequest, LeaseResult } from '../coordinator/coordinator.js';
import { MemoryCoordinator } from '../coordinator/memory-coordinator.js';
import { ScopeMutex } from '../scope-mutex.js';
import type { GrantedToken } from '../scope-tokens.js';
import type { LaneSeat, Seat } from '../seat.js';
import type { MutexTiming } from '../timing.js';
import { VirtualTime, seeded } from './virtual-time.js';

/** One send that started. */
export interface Start {
  readonly atMs: number;
  readonly pod: number;
  readonly priority: Priority;
  readonly units: number;
  readonly waitMs: number;
  /** What its units were granted for. */
  readonly departuresMs: readonly number[];
}

export interface FleetOptions {
  readonly ratePerSecond: number;
  readonly pods: number;
  readonly mode?: MutexMode;
  readonly seed?: number;
  /** Timers fire up to this late. */
  readonly timerLateMs?: number;
  /** One way to the coordinator. */
  readonly wireMs?: number;
  readonly timing?: Partial<MutexTiming>;
}

interface Item {
  readonly units: number;
  readonly sinceMs: number;
}

/** A lane with its queue: starts whatever it gets a token for. */
export class ModelLane implements LaneSeat {
  readonly queue: Item[] = [];
  /** Units of an endless backlog's next message; undefined = no backlog. */
  endless: (() => number) | undefined;
  owned: number;
  private seat: Seat | undefined;
  private nextEndless: Item | undefined;

  constructor(
    private readonly fleet: Fleet,
    readonly pod: number,
    readonly priority: Priority,
  ) {
    this.owned = 1 / fleet.options.pods;
  }

  sit(mutex: ScopeMutex): void {
    this.seat = mutex.join(this.priority, this);
  }

  get joined(): Seat {
    return this.seat as Seat;
  }

  arrive(units: number): void {
    this.queue.push({ units, sinceMs: this.fleet.time.monotonic() });
    this.fleet.whenAwake(this.pod, () => this.wake());
    if (this.queue.length > 0) this.fleet.whenAwake(this.pod, () => this.joined.demandChanged());
  }

  flood(units: () => number): void {
    this.endless = units;
    this.joined.demandChanged();
  }

  waiting() {
    const head = this.head();
    if (!head) return { units: 0, nextUnits: 0 };
    const units = this.endless ? 500 : this.queue.reduce((sum, i) => sum + i.units, 0);
    return { units, nextUnits: head.units, oldestSince: head.sinceMs };
  }

  ownership(): number {
    return this.owned;
  }

  wake(): void {
    for (let head = this.head(); head; head = this.head()) {
      const taken = this.joined.take(head.units);
      if (taken.kind !== 'granted') return;
      const now = this.fleet.time.monotonic();
      this.fleet.starts.push({
        atMs: now,
        pod: this.pod,
        priority: this.priority,
        units: head.units,
        waitMs: now - head.sinceMs,
        departuresMs: (taken.token as GrantedToken).departuresMs(),
      });
      if (this.queue.length > 0) this.queue.shift();
      else this.nextEndless = undefined;
    }
  }

  private head(): Item | undefined {
    if (this.queue[0]) return this.queue[0];
    if (this.endless) this.nextEndless ??= { units: this.endless(), sinceMs: this.fleet.time.monotonic() };
    return this.endless ? this.nextEndless : undefined;
  }
}

/** The coordinator as one pod reaches it: over a wire that takes time and may be cut. */
class Wire implements Coordinator {
  cut = false;
  /** Calls arrive, answers do not. */
  deaf = false;
  calls = 0;

  constructor(
    private readonly inner: MemoryCoordinator,
    private readonly time: VirtualTime,
    private readonly wireMs: number,
    private readonly awake: (run: () => void) => void,
  ) {}

  lease(request: LeaseRequest, deadlineMs: number): Promise<LeaseResult> {
    this.calls++;
    return new Promise((resolve) => {
      this.time.exactly(deadlineMs, () =>
        this.awake(() => resolve({ kind: 'no-answer', reason: 'deadline' })),
      );
      if (this.cut) return;
      this.time.exactly(this.wireMs, () => {
        void this.inner.lease(request).then((result) => {
          this.time.exactly(this.wireMs, () =>
            this.awake(() => (this.cut || this.deaf ? undefined : resolve(result))),
          );
        });
      });
    });
  }

  async leave(scope: string, pod: string): Promise<void> {
    if (!this.cut) await this.inner.leave(scope, pod);
  }

  onEdge(scope: string, listener: (edge: Edge) => void): () => void {
    return this.inner.onEdge(scope, (edge) => {
      this.time.exactly(this.wireMs, () => this.awake(() => (this.cut ? undefined : listener(edge))));
    });
  }
}

/** Several pods on one coordinator, on virtual time. */
export class Fleet {
  readonly time: VirtualTime;
  readonly random: () => number;
  readonly coordinator: MemoryCoordinator;
  readonly wires: Wire[] = [];
  readonly mutexes: ScopeMutex[] = [];
  readonly lanes: Record<Priority, ModelLane>[] = [];
  readonly starts: Start[] = [];
  /** How far the coordinator's clock is ahead. */
  coordinatorClockMs = 0;
  private readonly frozenUntil = new Map<number, number>();

  constructor(readonly options: FleetOptions) {
    this.random = seeded(options.seed ?? 1);
    this.time = new VirtualTime(() => this.random() * (options.timerLateMs ?? 0));
    this.coordinator = new MemoryCoordinator(() => this.time.now() + this.coordinatorClockMs);
    for (let pod = 0; pod < options.pods; pod++) this.addPod(options.ratePerSecond);
  }

  addPod(ratePerSecond: number): number {
    const { options } = this;
    const pod = this.mutexes.length;
    const wire = new Wire(this.coordinator, this.time, options.wireMs ?? 0.3, (run) =>
      this.whenAwake(pod, run),
    );
    const mutex = new ScopeMutex({
      scope: 'sms-a',
      pod: `pod-${pod}`,
      ratePerSecond,
      shares: { P1: 0.2, P2: 0.3, P3: 0.5 },
      mode: options.mode ?? 'contention',
      catalogueVersion: 1,
      coordinator: wire,
      clock: this.time,
      timers: { after: (ms, run) => this.time.after(ms, () => this.whenAwake(pod, run)) },
      logger: silentLogger,
      metrics: noopMetrics(),
      ...(options.timing ? { timing: options.timing } : {}),
    });
    const lanes = PRIORITIES.map((p) => [p, new ModelLane(this, pod, p)] as const);
    for (const [, lane] of lanes) lane.sit(mutex);
    mutex.start();
    this.wires.push(wire);
    this.mutexes.push(mutex);
    this.lanes.push(Object.fromEntries(lanes) as Record<Priority, ModelLane>);
    return pod;
  }

  /** Nothing of the pod runs for `ms`, as after SIGSTOP. */
  freeze(pod: number, ms: number): void {
    this.frozenUntil.set(pod, this.time.monotonic() + ms);
  }

  whenAwake(pod: number, run: () => void): void {
    const sleepMs = (this.frozenUntil.get(pod) ?? 0) - this.time.monotonic();
    if (sleepMs > 0) this.time.exactly(sleepMs, run);
    else run();
  }

  lane(pod: number, priority: Priority): ModelLane {
    return (this.lanes[pod] as Record<Priority, ModelLane>)[priority];
  }

  /** Poisson arrivals spread over `pods`. */
  poisson(
    priority: Priority,
    perSecond: number,
    units: () => number = () => 1,
    pods = this.options.pods,
  ): void {
    const next = (): void => {
      this.time.exactly((-Math.log(1 - this.random()) / perSecond) * 1000, () => {
        this.lane(Math.floor(this.random() * pods), priority).arrive(units());
        next();
      });
    };
    next();
  }

  get leases(): number {
    return this.wires.reduce((sum, w) => sum + w.calls, 0);
  }
}

/** Largest number of units in any second. */
function peak(events: { readonly atMs: number; readonly units: number }[]): number {
  const sorted = [...events].sort((a, b) => a.atMs - b.atMs);
  let most = 0;
  let sum = 0;
  let from = 0;
  for (const e of sorted) {
    sum += e.units;
    while (e.atMs - (sorted[from] as typeof e).atMs >= 1000 - 1e-6) sum -= (sorted[from++] as typeof e).units;
    most = Math.max(most, sum);
  }
  return most;
}

/** Largest number of units started in any second. */
export const peakUnits = (starts: readonly Pick<Start, 'atMs' | 'units'>[]): number => peak([...starts]);

/** Largest number of units granted for any second. */
export const peakGranted = (starts: readonly Start[]): number =>
  peak(starts.flatMap((s) => s.departuresMs.map((atMs) => ({ atMs, units: 1 }))));

export function quantile(values: readonly number[], q: number): number {
  const v = [...values].sort((a, b) => a - b);
  return v[Math.min(v.length - 1, Math.max(0, Math.ceil(q * v.length) - 1))] ?? NaN;
}

export const unitsOf = (starts: readonly Pick<Start, 'units'>[]): number =>
  starts.reduce((sum, s) => sum + s.units, 0);
