import { appendFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import { proofDir } from '../config.js';
import { full } from '../scale.js';

/** What a figure must be. The wide one counts at short scale, where few samples on a shared machine say less. */
export interface Must {
  readonly atMost?: number;
  readonly atLeast?: number;
  /** Default: the same as at full scale. */
  readonly short?: { readonly atMost?: number; readonly atLeast?: number };
}

const shown = (n: number): string =>
  Number.isInteger(n) ? String(n) : n.toFixed(n < 0.1 ? 4 : n < 10 ? 2 : 1);

/**
 * The figures of one journey: each is printed and kept (`figures.ndjson` of a proof) whether it holds or not; `hold` then
 * fails the journey when one does not. Caller: one journey.
 */
export class Figures {
  private readonly short: string[] = [];

  /** @param line name of the line or fault in the table of a proof */
  constructor(private readonly line: string) {}

  /** A figure without a bound. */
  note(what: string, figure: number | string): void {
    this.keep(what, typeof figure === 'number' ? shown(figure) : figure, '', true);
  }

  /** A figure with a bound. NaN never holds. */
  must(what: string, figure: number, bound: Must): void {
    const { atMost, atLeast } = full ? bound : { ...bound, ...bound.short };
    const holds =
      (atMost === undefined || figure <= atMost) &&
      (atLeast === undefined || figure >= atLeast) &&
      !Number.isNaN(figure);
    const wanted = [
      ...(atLeast === undefined ? [] : [`≥ ${shown(atLeast)}`]),
      ...(atMost === undefined ? [] : [`≤ ${shown(atMost)}`]),
    ].join(', ');
    this.keep(what, shown(figure), wanted, holds);
    if (!holds) this.short.push(`${what}: ${shown(figure)}, must be ${wanted}`);
  }

  /** Throws when a figure does not hold. How busy the machine was is a figure too: it says how far to believe the others. */
  hold(): void {
    this.note('load average of the machine over the last minute', loadavg()[0] ?? NaN);
    if (this.short.length > 0) throw new Error(`${this.line} falls short: ${this.short.join('; ')}`);
  }

  private keep(what: string, figure: string, must: string, holds: boolean): void {
    const verdict = must === '' ? '' : ` (must be ${must}: ${holds ? 'holds' : 'FALLS SHORT'})`;
    console.log(`${this.line}: ${what} ${figure}${verdict}`);
    if (proofDir === undefined) return;
    const row = { line: this.line, what, figure, must, holds };
    appendFileSync(path.join(proofDir, 'figures.ndjson'), `${JSON.stringify(row)}\n`);
  }
}
