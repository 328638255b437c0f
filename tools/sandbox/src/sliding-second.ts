const SECOND_US = 1_000_000;

/**
 * Units taken in the last second, any second. A ring of (time, units), oldest first; entries leave once, so a call costs
 * amortised O(1). The ring never holds more entries than the limit it is asked to keep.
 */
export class SlidingSecond {
  private at = new Float64Array(64);
  private units = new Uint32Array(64);
  private head = 0;
  private count = 0;
  private used = 0;

  /**
   * Takes `units` at `atUs` if the second ending there then holds at most `limit`.
   * @returns 0 when taken, else the microseconds until the oldest entry leaves
   */
  take(units: number, limit: number, atUs: number): number {
    this.forget(atUs);
    if (this.used + units > limit) {
      const oldest = this.count > 0 ? (this.at[this.head] as number) : atUs;
      return Math.max(10_000, SECOND_US - (atUs - oldest));
    }
    if (this.count === this.at.length) this.grow();
    const slot = (this.head + this.count) % this.at.length;
    this.at[slot] = atUs;
    this.units[slot] = units;
    this.count += 1;
    this.used += units;
    return 0;
  }

  private forget(atUs: number): void {
    while (this.count > 0 && atUs - (this.at[this.head] as number) >= SECOND_US) {
      this.used -= this.units[this.head] as number;
      this.head = (this.head + 1) % this.at.length;
      this.count -= 1;
    }
  }

  private grow(): void {
    const at = new Float64Array(this.at.length * 2);
    const units = new Uint32Array(at.length);
    for (let i = 0; i < this.count; i++) {
      const from = (this.head + i) % this.at.length;
      at[i] = this.at[from] as number;
      units[i] = this.units[from] as number;
    }
    this.at = at;
    this.units = units;
    this.head = 0;
  }
}
