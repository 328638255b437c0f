import type { LatencyFigures } from '../figures/latency-figures.js';
import { duration, latencyCell, percent, ratio, tableLines } from './cells.js';
import type { ResultLine } from './result-line.js';

const SPREAD = 'p50 / p95 / p99 / max';

const bounded = (text: string, { waiting }: LatencyFigures): string => `${waiting > 0 ? '≥ ' : ''}${text}`;

/** Latencies of P1 and P2, a line a run. */
export function latencyTable(lines: readonly ResultLine[]): string[] {
  const head = ['mode', `P1 idle, ms: ${SPREAD}`, 'P1 flood', 'p99 ratio', 'P2 idle', 'P2 flood'];
  return tableLines(
    head,
    lines.map(({ label, figures: { p1, p2, p99Ratio } }) => [
      label,
      latencyCell(p1.idle),
      latencyCell(p1.flood),
      bounded(ratio(p99Ratio), p1.flood),
      latencyCell(p2.idle),
      latencyCell(p2.flood),
    ]),
  );
}

/** What each run made of the channel. */
export function channelTable(lines: readonly ResultLine[]): string[] {
  const head = [
    'mode',
    'use of R',
    '1 s',
    'refused',
    'press: n',
    'p99 / max ms',
    'P3 block ms',
    'P3 share',
    'never called',
    'doubled',
  ];
  return tableLines(
    head,
    lines.map(({ label, figures: f }) => [
      label,
      percent(f.utilisation),
      f.busiest.ofR.toFixed(2),
      String(f.throttled),
      String(f.press.n),
      `${duration(f.press.p99)} / ${duration(f.press.max)}`,
      duration(f.longestP3GapMs),
      percent(f.worstP3.share),
      String(f.neverCalled),
      String(f.doubled),
    ]),
  );
}

const pair = (of: { readonly p99: number; readonly max: number } | undefined): string =>
  of ? `${duration(of.p99)} / ${duration(of.max)}` : '-';

/** What a message costs, and how late processes ran. */
export function costTable(lines: readonly ResultLine[]): string[] {
  const head = [
    'mode',
    'CPU ms',
    'coordinator calls',
    'other scripts',
    'all Redis commands',
    'loop late: p99 / max ms',
    'provider late',
  ];
  return tableLines(
    head,
    lines.map(({ label, figures: { cost } }) => [
      label,
      cost.cpuMsPerMessage.toFixed(2),
      cost.coordinator?.perMessage.toFixed(3) ?? '-',
      (cost.coordinator?.otherScriptsPerMessage ?? cost.redis.scriptsPerMessage).toFixed(2),
      cost.redis.commandsPerMessage.toFixed(1),
      pair(cost.loop),
      pair(cost.providerLag),
    ]),
  );
}

/** What became of the bursts; no lines when no run had one. */
export function burstTable(lines: readonly ResultLine[]): string[] {
  const head = [
    'mode',
    'burst of P1',
    'until the last code',
    'least at R',
    `ms: ${SPREAD}`,
    'lower classes after the press',
    'the last of them after ms',
  ];
  const rows = lines.flatMap(({ label, figures: { burst: b } }) =>
    b
      ? [
          [
            label,
            String(b.latency.n),
            bounded(duration(b.lastCallMs), b.latency),
            duration(b.leastMs),
            latencyCell(b.latency),
            String(b.lowerAfterPress),
            duration(b.lastLowerMs),
          ],
        ]
      : [],
  );
  return rows.length > 0 ? tableLines(head, rows) : [];
}

/** All tables that the lines have something for, each followed by an empty line. */
export function allTables(lines: readonly ResultLine[]): string[] {
  const tables = [latencyTable(lines), channelTable(lines), burstTable(lines), costTable(lines)];
  return tables.filter((table) => table.length > 0).flatMap((table) => [...table, '']);
}
