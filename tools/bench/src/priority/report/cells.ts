import type { LatencyFigures } from '../figures/latency-figures.js';

/** A time for people: `7.1`, `152`, `34 s`; `-` when there is none. */
export function duration(ms: number): string {
  if (Number.isNaN(ms)) return '-';
  if (ms >= 10_000) return `${(ms / 1000).toFixed(0)} s`;
  if (ms >= 1_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms.toFixed(ms < 100 ? 1 : 0);
}

/** `p50 / p95 / p99 / max`; a figure that can only be a lower bound reads `≥ 29 s`. */
export function latencyCell(l: LatencyFigures): string {
  const bounded = (ms: number): string => `${ms >= (l.atLeastFromMs ?? Infinity) ? '≥ ' : ''}${duration(ms)}`;
  return [l.p50, l.p95, l.p99, l.max].map(bounded).join(' / ');
}

/** A ratio for people: two figures, and no fraction where it means nothing. */
export function ratio(value: number): string {
  if (!Number.isFinite(value)) return '-';
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** A Markdown table with columns as wide as their widest cell, as the repo's formatter wants them. */
export function tableLines(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => (row[i] ?? '').length)));
  const line = (cells: readonly string[], fill = ' '): string =>
    `| ${widths.map((width, i) => (cells[i] ?? '').padEnd(width, fill)).join(' | ')} |`;
  return [line(head), line([], '-'), ...rows.map((row) => line(row))];
}
