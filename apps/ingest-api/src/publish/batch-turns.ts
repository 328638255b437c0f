import { StandBack } from './stand-back.js';

export interface BatchTurnsOptions {
  /** Whether urgent messages came in lately. Default: never. */
  readonly urgent?: () => boolean;
  /** Monotonic milliseconds. Default: the process's. */
  readonly monotonic?: () => number;
}

/**
 * Lets large batches work in slices: each turn of the event loop gives one waiting batch one slice, first come first
 * served, so that between two looks at the network there is at most one slice of batch work, however many batches run.
 * While codes come in, a pause comes before each turn: as long as a slice, and longer on a machine that is short of
 * processor time (`StandBack`).
 */
export class BatchTurns {
  private readonly waiting: (() => void)[] = [];
  private readonly standBack = new StandBack();
  private readonly urgent: () => boolean;
  private readonly monotonic: () => number;
  private scheduled = false;

  constructor(options: BatchTurnsOptions = {}) {
    this.urgent = options.urgent ?? (() => false);
    this.monotonic = options.monotonic ?? (() => performance.now());
  }

  /** Resolves when it is this caller's turn; it may then work for one slice. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    if (!this.urgent()) return void setImmediate(() => this.turn());
    const { pauseMs } = this.standBack;
    const dueMs = this.monotonic() + pauseMs;
    setTimeout(() => {
      this.standBack.ended(Math.max(0, this.monotonic() - dueMs));
      this.turn();
    }, pauseMs);
  }

  private turn(): void {
    this.scheduled = false;
    this.waiting.shift()?.();
    if (this.waiting.length > 0) this.schedule();
  }
}
