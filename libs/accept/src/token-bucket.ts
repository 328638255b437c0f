/**
 * A token bucket on a monotonic clock: `burst` tokens at most, refilled at `perSecond`. It starts full.
 * Rate and burst may change between calls; what is in it stays, cut to the new burst.
 */
export class TokenBucket {
  private tokens: number;
  private filledAtMs: number;

  constructor(
    private perSecond: number,
    private burst: number,
    nowMs: number,
  ) {
    this.tokens = burst;
    this.filledAtMs = nowMs;
  }

  /** Follows a changed catalogue. */
  resize(perSecond: number, burst: number, nowMs: number): void {
    if (perSecond === this.perSecond && burst === this.burst) return;
    this.refill(nowMs);
    this.perSecond = perSecond;
    this.burst = burst;
    this.tokens = Math.min(this.tokens, burst);
  }

  /** Whole tokens that could be taken now. */
  available(nowMs: number): number {
    this.refill(nowMs);
    return Math.floor(this.tokens);
  }

  /** Milliseconds until `count` tokens are there; 0 = now. */
  waitMs(count: number, nowMs: number): number {
    this.refill(nowMs);
    // a message larger than the burst passes when the bucket is full, and leaves it in debt
    const missing = Math.min(count, this.burst) - this.tokens;
    return missing <= 0 ? 0 : (missing / this.perSecond) * 1000;
  }

  /** Takes `count` tokens; call it only after `waitMs` said 0. */
  take(count: number): void {
    this.tokens -= count;
  }

  private refill(nowMs: number): void {
    const elapsedMs = Math.max(0, nowMs - this.filledAtMs);
    this.tokens = Math.min(this.burst, this.tokens + (elapsedMs / 1000) * this.perSecond);
    this.filledAtMs = nowMs;
  }
}
