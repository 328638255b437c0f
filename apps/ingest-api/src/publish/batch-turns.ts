/** How long batches pause after a turn while they stand back, ms: about as long as a turn, so they take half the time. */
const STAND_BACK_MS = 2;

/**
 * Lets large batches work in slices: each turn of the event loop gives one waiting batch one slice, first come first
 * served, so that between two looks at the network there is at most one slice of batch work, however many batches run.
 * While codes come in, batches also leave every other moment of the processor to the path those codes take.
 */
export class BatchTurns {
  private readonly waiting: (() => void)[] = [];
  private scheduled = false;

  /** @param standBack whether urgent messages came in lately */
  constructor(private readonly standBack: () => boolean = () => false) {}

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
    const turn = (): void => {
      this.scheduled = false;
      this.waiting.shift()?.();
      if (this.waiting.length > 0) this.schedule();
    };
    if (this.standBack()) setTimeout(turn, STAND_BACK_MS);
    else setImmediate(turn);
  }
}
