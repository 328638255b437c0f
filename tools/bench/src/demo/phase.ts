import { PRIORITIES, type Priority } from '@commservice/contracts';
import { ClassFigures } from './class-figures.js';
import type { SeenCall } from './sandbox-feed.js';

/** One part of the demo, idle or flood, with its figures by class. A call counts where its message was accepted. */
export class Phase {
  readonly classes: Record<Priority, ClassFigures> = {
    P1: new ClassFigures(),
    P2: new ClassFigures(),
    P3: new ClassFigures(),
  };
  private readonly from = performance.now();
  private units = 0;
  private firstAtMs = Infinity;
  private lastAtMs = -Infinity;

  constructor(
    readonly name: 'idle' | 'flood',
    /** The contract rate, units a second. */
    private readonly ratePerSecond: number,
  ) {}

  get seconds(): number {
    return (performance.now() - this.from) / 1000;
  }

  saw(call: SeenCall): void {
    this.classes[call.priority].saw(call);
  }

  /** A call of any class used the account while there was a backlog. */
  used(call: SeenCall): void {
    if (call.outcome !== 'accepted') return;
    this.units += call.units;
    this.firstAtMs = Math.min(this.firstAtMs, call.atMs);
    this.lastAtMs = Math.max(this.lastAtMs, call.atMs);
  }

  /** Share of the contract rate that was used between the first and the last call; NaN before two calls. */
  get utilisation(): number {
    const spanS = (this.lastAtMs - this.firstAtMs) / 1000;
    return spanS > 0 ? this.units / spanS / this.ratePerSecond : NaN;
  }

  get backlog(): number {
    return PRIORITIES.reduce((sum, p) => sum + this.classes[p].backlog, 0);
  }
}
