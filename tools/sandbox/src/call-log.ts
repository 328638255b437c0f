import type { Channel } from '@commservice/contracts';

export const OUTCOMES = ['accepted', 'refused', 'throttled', 'failed', 'hung', 'duplicate'] as const;
export type CallOutcome = (typeof OUTCOMES)[number];

/** One call as `GET /control/calls` shows it; an item of a batch is a call of its own. */
export interface Call {
  /** Arrival, before the body was read. */
  readonly atEpochUs: number;
  readonly channel: Channel;
  readonly id: string;
  readonly priority: string;
  readonly brand: string;
  readonly pod: string;
  readonly account: string;
  readonly kind: string;
  /** Billing units by the sandbox's own count. */
  readonly units: number;
  /** The caller's count, NaN when it gave none. */
  readonly declared: number;
  /** Epoch ms. */
  readonly expiresAt: number;
  readonly outcome: CallOutcome;
  /** The sandbox's event-loop lag then, ms. */
  readonly lagMs: number;
}

const SEGMENT = 8192;
const NAMES = ['channel', 'priority', 'brand', 'pod', 'account', 'kind', 'outcome'] as const;

/** Small texts as numbers; bounded, because brand and pod come from callers. */
class Names {
  private readonly texts: string[] = [];
  private readonly numbers = new Map<string, number>();

  number(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    if (this.texts.length >= 0xffff) return this.number(this.texts[0] as string);
    this.numbers.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }

  text(number: number): string {
    return this.texts[number] as string;
  }
}

/** A run of calls in columns: about 50 bytes each beside the id. */
class Segment {
  size = 0;
  readonly ids: string[] = [];
  readonly numbers = new Float64Array(SEGMENT * 5);
  readonly names = new Uint16Array(SEGMENT * NAMES.length);

  constructor(readonly firstSeq: number) {}
}

/**
 * The last calls, numbered from 1 on. Bounded by `capacity`, oldest forgotten first (by segments). `append` is O(1) and
 * copies nothing but numbers; `lines` finds its start in O(1).
 */
export class CallLog {
  private segments: Segment[] = [];
  private readonly table = new Names();
  private seq = 0;

  constructor(private readonly capacity = 2_000_000) {}

  /** Number of the last call. */
  get lastSeq(): number {
    return this.seq;
  }

  append(call: Call): void {
    let segment = this.segments.at(-1);
    if (!segment || segment.size === SEGMENT) {
      segment = new Segment(this.seq + 1);
      this.segments.push(segment);
      if (this.segments.length > Math.max(2, Math.ceil(this.capacity / SEGMENT) + 1)) this.segments.shift();
    }
    const i = segment.size++;
    this.seq += 1;
    segment.ids[i] = call.id;
    const n = i * 5;
    segment.numbers[n] = call.atEpochUs;
    segment.numbers[n + 1] = call.units;
    segment.numbers[n + 2] = call.declared;
    segment.numbers[n + 3] = call.expiresAt;
    segment.numbers[n + 4] = call.lagMs;
    for (let k = 0; k < NAMES.length; k++) {
      segment.names[i * NAMES.length + k] = this.table.number(call[NAMES[k] as (typeof NAMES)[number]]);
    }
  }

  /** Forgets all calls; numbers go on. */
  clear(): void {
    this.segments = [];
  }

  /** NDJSON of the calls with `seq > since` that exist now, in pieces of at most 250 lines. */
  *lines(since: number, channel?: string): Generator<string> {
    const last = this.seq;
    let piece: string[] = [];
    for (const segment of [...this.segments]) {
      for (let i = Math.max(0, since + 1 - segment.firstSeq); i < segment.size; i++) {
        if (segment.firstSeq + i > last) break;
        if (channel !== undefined && this.nameAt(segment, i, 0) !== channel) continue;
        piece.push(this.line(segment, i));
        if (piece.length < 250) continue;
        yield `${piece.join('\n')}\n`;
        piece = [];
      }
    }
    if (piece.length > 0) yield `${piece.join('\n')}\n`;
  }

  private nameAt(segment: Segment, i: number, column: number): string {
    return this.table.text(segment.names[i * NAMES.length + column] as number);
  }

  private line(segment: Segment, i: number): string {
    const n = i * 5;
    const number = (k: number) => segment.numbers[n + k] as number;
    const name = (k: number) => this.nameAt(segment, i, k);
    return JSON.stringify({
      seq: segment.firstSeq + i,
      atEpochUs: number(0),
      channel: name(0),
      id: segment.ids[i],
      priority: name(1),
      brand: name(2),
      pod: name(3),
      account: name(4),
      kind: name(5),
      units: number(1),
      declared: Number.isNaN(number(2)) ? undefined : number(2),
      expiresAt: number(3),
      outcome: name(6),
      lagMs: number(4),
    });
  }
}
