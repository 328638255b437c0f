/** One fetched record that the watermark has not passed yet. `next` = the offset to commit once it is done. */
interface Entry {
  readonly offset: number;
  readonly next: number;
  done: boolean;
}

/** Settled offsets of one partition that are not (or no longer) registered; bounded so that a lost partition cannot grow it. */
const MAX_SETTLED_AHEAD = 50_000;

/**
 * The done-watermark of one partition: which offset may be committed. Pure.
 *
 * A record is *registered* when it is fetched and *settled* when its outcome is stored outside the process; both are facts
 * about the offset and outlive a rebalance. The watermark is contiguous in delivery order, not in numbers: transaction
 * markers and compacted offsets leave holes.
 *
 * Invariants: `committable` never passes a registered record that is not settled; it never goes back within one ownership;
 * a record settled in an earlier ownership is recognised when it is fetched again.
 */
export class OffsetTracker {
  private entries: Entry[] = [];
  /** Index of the first entry the watermark has not passed. */
  private head = 0;
  private readonly open = new Map<number, Entry>();
  private readonly settledAhead = new Set<number>();
  private watermark: number | undefined;

  /** Records registered and not settled. */
  get openCount(): number {
    return this.open.size;
  }

  /** The offset to commit, or undefined when nothing was fetched in this ownership. */
  get committable(): number | undefined {
    return this.watermark;
  }

  /**
   * Notes a fetched record. Returns false when it was settled before: it must not be handed on again.
   */
  register(offset: number): boolean {
    if (this.watermark === undefined) this.begin(offset);
    const entry: Entry = { offset, next: offset + 1, done: this.settledAhead.delete(offset) };
    this.entries.push(entry);
    if (!entry.done) this.open.set(offset, entry);
    else this.advance();
    return !entry.done;
  }

  /** Notes the end of a fetched batch, which may lie behind its last record. */
  registerEnd(next: number): void {
    if (this.watermark === undefined) this.begin(next);
    this.entries.push({ offset: -1, next, done: true });
    this.advance();
  }

  /** The record's outcome is stored: the watermark may pass it. Settling twice changes nothing. */
  settle(offset: number): void {
    const entry = this.open.get(offset);
    if (entry === undefined) {
      if (this.watermark !== undefined && offset < this.watermark) return;
      if (this.settledAhead.size < MAX_SETTLED_AHEAD) this.settledAhead.add(offset);
      return;
    }
    entry.done = true;
    this.open.delete(offset);
    this.advance();
  }

  /**
   * The partition was given up or taken anew: what is registered is fetched again from the committed offset. Keeps the
   * settled ones that the watermark had not reached, so that they are recognised.
   */
  restart(): void {
    for (let i = this.head; i < this.entries.length; i++) {
      const entry = this.entries[i] as Entry;
      if (entry.done && entry.offset >= 0 && this.settledAhead.size < MAX_SETTLED_AHEAD)
        this.settledAhead.add(entry.offset);
    }
    this.entries = [];
    this.head = 0;
    this.open.clear();
    this.watermark = undefined;
  }

  /** The first fetch of an ownership starts at the committed offset: what lies before it needs no remembering. */
  private begin(offset: number): void {
    this.watermark = offset;
    for (const settled of this.settledAhead) if (settled < offset) this.settledAhead.delete(settled);
  }

  private advance(): void {
    while (this.head < this.entries.length && (this.entries[this.head] as Entry).done) {
      this.watermark = (this.entries[this.head] as Entry).next;
      this.head++;
    }
    if (this.head > 1024 && this.head * 2 > this.entries.length) {
      this.entries = this.entries.slice(this.head);
      this.head = 0;
    }
  }
}
