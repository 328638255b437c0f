import type { BatchTurns } from './batch-turns.js';

/** Work of one batch between two turns of the event loop, ms. */
const SLICE_MS = 2;

/** Cuts the work of one batch into slices. States: waiting for a turn → in a slice, for `SLICE_MS` → waiting. */
export class BatchSlices {
  private endsMs = -Infinity;

  /** @param monotonic monotonic milliseconds */
  constructor(
    private readonly turns: BatchTurns,
    private readonly monotonic: () => number,
  ) {}

  /** Returns at once while the slice lasts, and else with the batch's next turn. The first call waits for one. */
  async pause(): Promise<void> {
    if (this.monotonic() < this.endsMs) return;
    await this.turns.next();
    this.endsMs = this.monotonic() + SLICE_MS;
  }
}
