const SAMPLES = 128;

/** Rolling view of one account's call latency, over its last 128 answered calls. */
export class CallLatency {
  private readonly samples: number[] = [];
  private next = 0;
  private sorted: number[] | undefined;

  /** @param initialMs what to assume before the first answer */
  constructor(private readonly initialMs: number) {}

  note(latencyMs: number): void {
    this.samples[this.next] = latencyMs;
    this.next = (this.next + 1) % SAMPLES;
    this.sorted = undefined;
  }

  /** The latency that a share `q` of the last calls did not exceed, ms. */
  quantile(q: number): number {
    if (this.samples.length === 0) return this.initialMs;
    this.sorted ??= [...this.samples].sort((a, b) => a - b);
    return this.sorted[Math.min(this.sorted.length - 1, Math.floor(q * this.sorted.length))] as number;
  }
}
