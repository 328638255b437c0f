const WINDOW_CALLS = 20;
const MIN_CALLS = 8;
const OPEN_MIN_MS = 500;
const OPEN_MAX_MS = 30_000;
const URGENT_MS = 1_000;

/**
 * Whether an account answers at all. States: CLOSED → OPEN when at least half of the last 20 calls failed (8 at least) →
 * PROBING after a pause, one call at a time → CLOSED when it works, OPEN for twice as long (30 s at most) when it does not.
 * Pure but for the time it is given. One per account, pod and kind of fault.
 */
export class Breaker {
  private recent: { readonly ok: boolean; readonly record?: string | undefined }[] = [];
  private openUntil: number | undefined;
  private openMs = OPEN_MIN_MS;
  private probing = false;
  private failedAt = 0;

  /** Whether calls are held back, or being tried one by one. */
  get open(): boolean {
    return this.openUntil !== undefined;
  }

  /**
   * Notes how a call ended. Returns true when this opened the breaker or kept it open.
   * @param record a record that fails again and again counts once: it may be the record
   */
  note(ok: boolean, nowMs: number, record?: string): boolean {
    const wasProbe = this.probing;
    this.probing = false;
    if (ok) {
      if (this.openUntil !== undefined) this.recent = [];
      this.openUntil = undefined;
      this.openMs = OPEN_MIN_MS;
    }
    if (!ok && record !== undefined && this.recent.some((r) => !r.ok && r.record === record)) {
      if (this.openUntil === undefined) return false;
    } else this.recent.push({ ok, record });
    if (this.recent.length > WINDOW_CALLS) this.recent.shift();
    if (ok) return false;
    this.failedAt = nowMs;
    if (this.openUntil !== undefined) {
      if (!wasProbe) return true; // was in the air when it opened: says nothing new
      this.openMs = Math.min(this.openMs * 2, OPEN_MAX_MS);
    } else {
      const failures = this.recent.filter((r) => !r.ok).length;
      if (this.recent.length < MIN_CALLS || failures * 2 < this.recent.length) return false;
    }
    this.openUntil = nowMs + this.openMs;
    return true;
  }

  /**
   * 0 = a call may start now (and counts as the probe when one is due); else how long to wait, ms.
   * @param urgent a code: it tries again after 1 s at most, and never waits for a probe that hangs
   */
  waitMs(nowMs: number, urgent = false): number {
    if (this.openUntil === undefined) return 0;
    const until = urgent ? Math.min(this.openUntil, this.failedAt + URGENT_MS) : this.openUntil;
    if (nowMs < until) return until - nowMs;
    return this.probing && !urgent ? OPEN_MIN_MS : 0;
  }

  /** A call ended and says nothing about the vendor: the next one may try. */
  released(): void {
    this.probing = false;
  }

  /** A call started: while open, it is the probe. */
  started(): void {
    if (this.openUntil !== undefined) this.probing = true;
  }
}
