/**
 * Lets large batches work in slices: each turn of the event loop gives one waiting batch one slice, first come first
 * served, so that between two looks at the network there is at most one slice of batch work, however many batches run.
 */
export class BatchTurns {
  private readonly waiting: (() => void)[] = [];
  private scheduled = false;

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
    setImmediate(() => {
      this.scheduled = false;
      this.waiting.shift()?.();
      if (this.waiting.length > 0) this.schedule();
    });
  }
}
