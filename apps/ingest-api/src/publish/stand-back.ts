/** Shortest pause, ms: about as long as a slice, so that batches take at most half the time. */
export const MIN_PAUSE_MS = 2;
/** Longest pause, ms: a batch of 1 000 goes on, in some seconds, however busy the machine is. */
export const MAX_PAUSE_MS = 20;
/** A pause in proportion to how late the last ones ended: this share is what batches leave to everybody else. */
const PAUSE_PER_LATE = 4;
/** What of the lateness seen before still counts at the next pause: it is forgotten in some ten pauses. */
const REMEMBERED = 0.8;

/**
 * How long batches pause while codes come in. A pause that ends late says that others wait for the processor too (the
 * broker, the dispatchers, other requests: each batch makes work for them), and then the next pauses are longer. State:
 * the lateness remembered. Pure; called by `BatchTurns`.
 */
export class StandBack {
  private lateMs = 0;

  /** The next pause, ms. */
  get pauseMs(): number {
    return Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, PAUSE_PER_LATE * this.lateMs));
  }

  /** @param lateMs how much later than asked for a pause ended */
  ended(lateMs: number): void {
    this.lateMs = Math.max(lateMs, REMEMBERED * this.lateMs);
  }
}
