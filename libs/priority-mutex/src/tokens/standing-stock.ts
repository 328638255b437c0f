/** Standing tokens while the coordinator may be silent, times those of other days: P1's reserve for as long as that lasts. */
const BRIDGE = 3;
const SECOND_MS = 1000;

/**
 * The standing P1 tokens of one pod and scope: granted units kept for later, without a departure of their own. States:
 * USUAL ⇄ BRIDGED, in which it holds three times as many. Invariant: 0 ≤ `size` ≤ what is allowed, in the state it is in.
 * Callers: Departures (fill, take), LeaseLoop (allow, bridge, empty).
 */
export class StandingStock {
  private most = 0;
  private held = 0;
  private bridged = false;
  /** Most units of one send that started late within the last second, and when. */
  private late = 0;
  private lateAtMs = -Infinity;

  get size(): number {
    return this.held;
  }

  /** What the coordinator allows; more only while bridging. */
  get allowed(): number {
    return this.most;
  }

  get bridging(): boolean {
    return this.bridged;
  }

  private get capacity(): number {
    return this.bridged ? BRIDGE * this.most : this.most;
  }

  allow(units: number): void {
    this.most = units;
    this.held = Math.min(this.held, this.capacity);
  }

  /**
   * While the coordinator may be silent, departures that fall due fill a larger standing stock first: P1 lives on it until the
   * pod is alone. They are granted units used later, and the coordinator goes on to keep as many slots free for this pod until
   * it misses its call.
   */
  bridge(on: boolean): void {
    this.bridged = on;
    this.held = Math.min(this.held, this.capacity);
  }

  /** The tokens count for nothing: the coordinator thinks this pod dead. */
  empty(): void {
    this.held = 0;
  }

  /** Keeps as many of `units` as there is room for; returns how many are left over. */
  fill(units: number): number {
    const kept = Math.min(units, this.capacity - this.held);
    this.held += kept;
    return units - kept;
  }

  /** One token, if there is one. */
  take(): boolean {
    if (this.held === 0) return false;
    this.held--;
    return true;
  }

  /**
   * Tokens that may go now. A send that gathered its units started some of them late, which puts more than the pace into a
   * second already: all standing tokens but the first stand back for them, or a burst would start both.
   */
  usable(nowMs: number): number {
    const late = nowMs - this.lateAtMs > SECOND_MS ? 0 : this.late;
    return Math.max(0, this.held - Math.min(Math.max(0, this.most - 1), Math.max(0, late - 1)));
  }

  /** A send started so many of its units late. */
  noteLate(units: number, nowMs: number): void {
    if (units === 0 || (units < this.late && nowMs - this.lateAtMs <= SECOND_MS)) return;
    this.late = units;
    this.lateAtMs = nowMs;
  }
}
