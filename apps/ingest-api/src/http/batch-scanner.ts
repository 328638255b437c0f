const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const isOpen = (byte: number): boolean => byte === 0x7b || byte === OPEN_LIST;
const isClose = (byte: number): boolean => byte === 0x7d || byte === CLOSE_LIST;
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const KEY = Buffer.from('"messages"');

/** Bytes `from` to `to`, `to` not included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** An item of the list. */
export interface ItemSpan extends Span {
  /** Commas and opening brackets in it: at least half as many values as that, and at most one value more. */
  readonly marks: number;
}

/** Why there is no use in reading on. */
export type ScanStop =
  /** The list has more items than the limit. */
  | 'too-many-items'
  /** The key occurs twice. */
  | 'twice'
  /** The list ends with another bracket: no JSON. */
  | 'malformed';

/**
 * Finds the items of `{"messages":[…]}` in a JSON text without reading them, a stretch at a time. It only counts brackets
 * and commas and skips strings: whether what it found is JSON is for a parser to say. States: before the list → in the
 * list → after; or stopped. Invariant: the work of a stretch is bounded by its length. Used by `parseLargeBatch` only.
 */
export class BatchScanner {
  /** The items found so far. */
  readonly items: ItemSpan[] = [];
  /** The list with its brackets, once it has been passed. */
  list: Span | undefined;
  /** Set when it gave up. */
  stopped: ScanStop | undefined;
  /** Commas and opening brackets outside the list's items. */
  frameMarks = 0;
  private position = 0;
  private depth = 0;
  private listFrom = -1;
  private itemFrom = -1;
  private itemMarks = 0;
  /** Where the string began that the position is in; -1 outside strings. */
  private stringFrom = -1;
  /** The last string at depth 1 was the key, and nothing but white space and a colon has come since. */
  private keyed = false;

  /** @param maxItems most items of the list */
  constructor(
    private readonly bytes: Buffer,
    private readonly maxItems: number,
  ) {}

  /** Goes on for about `length` bytes; false at the end of the text, or when it stopped. */
  scan(length: number): boolean {
    const end = Math.min(this.bytes.length, this.position + length);
    while (this.position < end && this.stopped === undefined) {
      const byte = this.bytes[this.position] as number;
      if (this.stringFrom >= 0) this.inString(byte);
      else if (byte === QUOTE) this.stringFrom = this.position;
      else this.mark(byte);
      this.position += 1;
    }
    return this.position < this.bytes.length && this.stopped === undefined;
  }

  private get inList(): boolean {
    return this.listFrom >= 0 && this.list === undefined;
  }

  private inString(byte: number): void {
    // whatever is escaped ends no string
    if (byte === BACKSLASH) this.position += 1;
    if (byte !== QUOTE) return;
    const span = { from: this.stringFrom, to: this.position + 1 };
    this.stringFrom = -1;
    if (this.depth !== 1) return;
    this.keyed = span.to - span.from === KEY.length && this.bytes.subarray(span.from, span.to).equals(KEY);
  }

  private mark(byte: number): void {
    if (isOpen(byte)) return this.open(byte);
    if (isClose(byte)) return this.close(byte);
    if (byte === COMMA) return this.comma();
    if (this.depth === 1 && byte !== COLON && !isSpace(byte)) this.keyed = false;
  }

  private count(): void {
    if (this.inList) this.itemMarks += 1;
    else this.frameMarks += 1;
  }

  private comma(): void {
    if (this.depth === 2 && this.inList) return this.endItem(true);
    this.count();
    if (this.depth === 1) this.keyed = false;
  }

  private open(byte: number): void {
    this.count();
    this.depth += 1;
    if (this.depth === 2 && this.keyed && byte === OPEN_LIST) {
      if (this.listFrom >= 0) this.stopped = 'twice';
      this.listFrom = this.position;
      this.itemFrom = this.position + 1;
    }
    this.keyed = false;
  }

  private close(byte: number): void {
    if (this.depth === 2 && this.inList) {
      if (byte !== CLOSE_LIST) this.stopped = 'malformed';
      this.endItem(false);
      this.list = { from: this.listFrom, to: this.position + 1 };
    }
    this.depth -= 1;
  }

  private endItem(more: boolean): void {
    const span = { from: this.itemFrom, to: this.position, marks: this.itemMarks };
    this.itemFrom = this.position + 1;
    this.itemMarks = 0;
    // an empty list has no item; an empty place between commas is one, and no JSON
    if (more || this.items.length > 0 || this.holdsSomething(span)) this.items.push(span);
    if (this.items.length > this.maxItems) this.stopped ??= 'too-many-items';
  }

  private holdsSomething({ from, to }: Span): boolean {
    for (let at = from; at < to; at++) if (!isSpace(this.bytes[at] as number)) return true;
    return false;
  }
}
