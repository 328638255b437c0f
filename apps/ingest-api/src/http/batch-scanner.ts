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

/**
 * Finds the items of `{"messages":[…]}` in a JSON text without reading them, a stretch at a time. It only counts brackets
 * and skips strings: whether what it found is JSON is for a parser to say. States: before the list → in the list → after.
 * Used by `parseLargeBatch` only.
 */
export class BatchScanner {
  /** The items found so far. */
  readonly items: Span[] = [];
  /** The list with its brackets, once it has been passed. */
  list: Span | undefined;
  /** Set when the key occurs twice or the list ends oddly: the text must be parsed as a whole. */
  unclear = false;
  private position = 0;
  private depth = 0;
  private listFrom = -1;
  private itemFrom = -1;
  /** The last string at depth 1 was the key, and nothing but white space and a colon has come since. */
  private keyed = false;

  constructor(private readonly bytes: Buffer) {}

  /** Goes on for about `length` bytes; false at the end of the text. */
  scan(length: number): boolean {
    const end = Math.min(this.bytes.length, this.position + length);
    while (this.position < end) {
      const byte = this.bytes[this.position] as number;
      if (byte === QUOTE) this.string();
      else this.mark(byte);
      this.position += 1;
    }
    return this.position < this.bytes.length;
  }

  private get inList(): boolean {
    return this.listFrom >= 0 && this.list === undefined;
  }

  private mark(byte: number): void {
    if (isOpen(byte)) return this.open(byte);
    if (isClose(byte)) return this.close(byte);
    if (this.depth === 2 && this.inList && byte === COMMA) return this.endItem(true);
    if (this.depth === 1 && byte !== COLON && !isSpace(byte)) this.keyed = false;
  }

  private open(byte: number): void {
    this.depth += 1;
    if (this.depth === 2 && this.keyed && byte === OPEN_LIST) {
      if (this.listFrom >= 0) this.unclear = true;
      this.listFrom = this.position;
      this.itemFrom = this.position + 1;
    }
    this.keyed = false;
  }

  private close(byte: number): void {
    if (this.depth === 2 && this.inList) {
      if (byte !== CLOSE_LIST) this.unclear = true;
      this.endItem(false);
      this.list = { from: this.listFrom, to: this.position + 1 };
    }
    this.depth -= 1;
  }

  private endItem(more: boolean): void {
    const span = { from: this.itemFrom, to: this.position };
    // an empty list has no item; an empty place between commas is one, and no JSON
    if (more || this.items.length > 0 || this.bytes.toString('latin1', span.from, span.to).trim() !== '')
      this.items.push(span);
    this.itemFrom = this.position + 1;
  }

  /** Moves to the closing quote. */
  private string(): void {
    const from = this.position;
    let at = from;
    do {
      at = this.bytes.indexOf(QUOTE, at + 1);
    } while (at >= 0 && this.isEscaped(at));
    this.position = at < 0 ? this.bytes.length : at;
    if (this.depth !== 1) return;
    this.keyed = this.bytes.subarray(from, this.position + 1).equals(KEY);
  }

  private isEscaped(quote: number): boolean {
    let backslashes = 0;
    while (this.bytes[quote - 1 - backslashes] === BACKSLASH) backslashes += 1;
    return backslashes % 2 === 1;
  }
}
