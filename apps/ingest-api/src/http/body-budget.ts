/**
 * Bounds the memory that request bodies may hold at once. Bytes are reserved before a body is read (its declared length,
 * or the limit when it declares none) and given back when the answer has left. Singles and batches have separate budgets,
 * so that bulk never turns a code away.
 */
export class BodyBudget {
  private used = 0;

  /** @param maxBytes most bytes reserved at once */
  constructor(private readonly maxBytes: number) {}

  /** Reserves bytes; undefined when they are not there. The release may be called more than once. */
  reserve(bytes: number): (() => void) | undefined {
    if (this.used + bytes > this.maxBytes) return undefined;
    this.used += bytes;
    let held = true;
    return () => {
      if (held) this.used -= bytes;
      held = false;
    };
  }

  get reservedBytes(): number {
    return this.used;
  }
}
