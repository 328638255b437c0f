import { PRIORITIES, type MutexMode, type Priority } from '@commservice/contracts';
import { noopMetrics, silentLogger } from '@commservice/telemetry';
import type { Coordinator } from '../coordinator/coordinator.js';
import { MemoryCoordinator } from '../coordinator/memory-coordinator.js';
import { ScopeMutex } from '../scope-mutex.js';
import type { MutexTiming } from '../timing.js';
import { ModelLane, type LaneHost } from './model-lane.js';
import type { Start } from './starts.js';
import { VirtualTime, seeded } from './virtual-time.js';
import { Wire } from './wire.js';

export { peakGranted, peakUnits, quantile, unitsOf, type Start } from './starts.js';

/** A coordinator that a model can make forget everything. */
export interface ModelCoordinator extends Coordinator {
  forget(): void;
}

/** What a test puts in the place of a part, to show that its checks can fail. */
export interface Doubles {
  /**
   * @param serverMs the coordinator's clock
   * @param clientMs the wall clock of the pod with this name
   */
  readonly coordinator?: (serverMs: () => number, clientMs: (pod: string) => number) => ModelCoordinator;
  /** Changes a pod's mutex before anything joins it. */
  readonly mutex?: (mutex: ScopeMutex) => void;
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
  /** How far the clocks of each pod are ahead of the model's time. Default 0. */
  readonly podsAheadMs?: readonly number[];
  readonly doubles?: Doubles;
  /** The classes whose lanes run in a pod; it owns all of their partitions that other such pods leave. Default: all. */
  readonly classesOf?: (pod: number) => readonly Priority[];
}

/** Several pods on one coordinator, on virtual time. */
export class Fleet implements LaneHost {
  readonly time: VirtualTime;
  readonly random: () => number;
  readonly coordinator: ModelCoordinator;
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
    const serverMs = (): number => this.time.now() + this.coordinatorClockMs;
    const clientMs = (pod: string): number => this.time.now() + this.aheadMs(Number(pod.split('-')[1]));
    this.coordinator = options.doubles?.coordinator?.(serverMs, clientMs) ?? new MemoryCoordinator(serverMs);
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
      clock: {
        now: () => this.time.now() + this.aheadMs(pod),
        monotonic: () => this.time.monotonic() + this.aheadMs(pod),
      },
      timers: { after: (ms, run) => this.time.after(ms, () => this.whenAwake(pod, run)) },
      logger: silentLogger,
      metrics: noopMetrics(),
      ...(options.timing ? { timing: options.timing } : {}),
    });
    options.doubles?.mutex?.(mutex);
    const lanes = PRIORITIES.map((p) => [p, new ModelLane(this, pod, p)] as const);
    const classes = options.classesOf?.(pod) ?? PRIORITIES;
    for (const [priority, lane] of lanes) if (classes.includes(priority)) lane.sit(mutex);
    mutex.start();
    this.wires.push(wire);
    this.mutexes.push(mutex);
    this.lanes.push(Object.fromEntries(lanes) as Record<Priority, ModelLane>);
    return pod;
  }

  aheadMs(pod: number): number {
    return this.options.podsAheadMs?.[pod] ?? 0;
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
