import { PRIORITIES } from '@commservice/contracts';
import type { Blocked } from './lanes-feed.js';
import type { Phase } from './phase.js';

const COLUMNS = ['class', 'accepted', 'sent', 'p50 ms', 'p95 ms', 'p99 ms', 'backlog', 'blocked by'] as const;
const WIDTHS = [6, 9, 8, 9, 9, 9, 9, 14];

const ms = (value: number): string => (Number.isNaN(value) ? '-' : value.toFixed(value < 100 ? 1 : 0));
const line = (cells: readonly string[]): string =>
  cells.map((cell, i) => cell.padStart(WIDTHS[i] as number)).join(' ');

/** The rows of the live table. */
export function tableOf(phase: Phase, blocked: Blocked): string[] {
  const rows = PRIORITIES.map((priority) => {
    const { accepted, sent, latency, backlog } = phase.classes[priority];
    const figures = [accepted, sent].map(String);
    return line([
      priority,
      ...figures,
      ms(latency.p50),
      ms(latency.p95),
      ms(latency.p99),
      String(backlog),
      blocked[priority],
    ]);
  });
  const used = Number.isNaN(phase.utilisation) ? '-' : `${(phase.utilisation * 100).toFixed(1)} %`;
  return [`${phase.name}, second ${Math.floor(phase.seconds)}; rate used ${used}`, line(COLUMNS), ...rows];
}

/** Draws the table in place on a terminal; elsewhere as one line a class, every few seconds. */
export class Screen {
  private drawn = 0;
  private lastPlainAt = -Infinity;

  constructor(private readonly out: NodeJS.WriteStream) {}

  draw(rows: readonly string[]): void {
    if (!this.out.isTTY) return this.plain(rows);
    const up = this.drawn > 0 ? `\x1b[${this.drawn}A` : '';
    this.out.write(`${up}${rows.map((row) => `\x1b[2K${row}\n`).join('')}`);
    this.drawn = rows.length;
  }

  /** What follows is written below the table. */
  leave(): void {
    this.drawn = 0;
    this.lastPlainAt = -Infinity;
    this.out.write('\n');
  }

  private plain(rows: readonly string[]): void {
    const now = performance.now();
    if (now - this.lastPlainAt < 5_000) return;
    this.lastPlainAt = now;
    this.out.write(`${rows.join('\n')}\n`);
  }
}
