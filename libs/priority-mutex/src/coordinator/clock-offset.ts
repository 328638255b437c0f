/** Part of a new sample that enters the estimate. */
const GAIN = 0.2;
/** A difference above this is a step of one of the clocks, not jitter. */
const STEP_MS = 100;
/** How much slower than the fastest call one may be and still count as a sample. */
const TRUSTED_FACTOR = 2;

/**
 * Coordinator's time minus this process's monotonic time. Samples assume that the answer was made halfway through the
 * call; slow calls say little and are left out, the rest is smoothed, or departures would jitter by half a round trip.
 */
export class ClockOffset {
  private offsetMs: number | undefined;
  private bestMs = Infinity;

  sample(remoteMs: number, sentAtMs: number, receivedAtMs: number): void {
    const tripMs = receivedAtMs - sentAtMs;
    const sample = remoteMs - (sentAtMs + receivedAtMs) / 2;
    if (this.offsetMs === undefined || Math.abs(sample - this.offsetMs) > Math.max(STEP_MS, tripMs)) {
      this.offsetMs = sample;
      this.bestMs = tripMs;
      return;
    }
    // Forgets slowly, so that a network that became slower is believed after a while.
    this.bestMs = Math.min(tripMs, this.bestMs * 1.05 + 0.01);
    if (tripMs <= this.bestMs * TRUSTED_FACTOR + 0.2) this.offsetMs += GAIN * (sample - this.offsetMs);
  }

  toLocal(remoteMs: number): number {
    return remoteMs - (this.offsetMs ?? 0);
  }
}
