const TICK_MS = 5;
const BUCKET_MS = 25;
const BUCKETS = 4;

/**
 * The sandbox's own event-loop lag: how late a 5 ms timer fired, the worst of the last 100 ms, and at least how overdue it
 * is right now. A judge leaves out what was measured while this was high. Its timer keeps no process alive.
 */
export class LagMeter {
  private lastTick = performance.now();
  private bucketStart = this.lastTick;
  private readonly worst = new Float64Array(BUCKETS);
  private bucket = 0;
  private readonly timer = setInterval(() => this.tick(), TICK_MS).unref();

  /** Milliseconds of lag now. */
  read(): number {
    let lag = performance.now() - this.lastTick - TICK_MS;
    for (let i = 0; i < BUCKETS; i++) lag = Math.max(lag, this.worst[i] as number);
    return Math.max(0, lag);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    const now = performance.now();
    const late = now - this.lastTick - TICK_MS;
    this.lastTick = now;
    if (now - this.bucketStart >= BUCKET_MS) {
      this.bucket = (this.bucket + 1) % BUCKETS;
      this.worst[this.bucket] = 0;
      this.bucketStart = now;
    }
    this.worst[this.bucket] = Math.max(this.worst[this.bucket] as number, late);
  }
}
