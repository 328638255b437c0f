import { duration } from './cells.js';
import type { ResultLine } from './result-line.js';

/** Room for a label, and more for the letters of a long one. */
const LEAST_LEFT = 110;
const LETTER = 6.6;
const PLOT = 620;
const RIGHT = 110;
const TOP = 64;
const ROW = 46;
const BAR = 15;
const COLOURS = { idle: '#9aa5b1', flood: '#2563eb' } as const;

/** Powers of ten that enclose the values. */
function decades(values: readonly number[]): { readonly low: number; readonly high: number } {
  const logs = values.filter((v) => v > 0).map(Math.log10);
  if (logs.length === 0) return { low: 0, high: 1 };
  const low = Math.floor(Math.min(...logs));
  return { low, high: Math.max(low + 1, Math.ceil(Math.max(...logs))) };
}

/** Where a value lies on the axis, from 0 to `PLOT`. */
export function position(ms: number, { low, high }: { low: number; high: number }): number {
  if (!(ms > 0)) return 0;
  return Math.min(PLOT, Math.max(0, ((Math.log10(ms) - low) / (high - low)) * PLOT));
}

const tag = (name: string, attributes: Readonly<Record<string, string | number>>, text?: string): string => {
  const list = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${value}"`)
    .join('');
  return text === undefined ? `<${name}${list}/>` : `<${name}${list}>${text}</${name}>`;
};

interface Axis {
  readonly low: number;
  readonly high: number;
  /** Where the plot begins. */
  readonly left: number;
}

function gridOf(axis: Axis, bottom: number): string[] {
  const lines = Array.from({ length: axis.high - axis.low + 1 }, (_, i) => 10 ** (axis.low + i));
  return lines.flatMap((ms) => {
    const x = axis.left + position(ms, axis);
    const label = ms < 1_000 ? `${ms} ms` : `${ms / 1000} s`;
    return [
      tag('line', { x1: x.toFixed(1), x2: x.toFixed(1), y1: TOP - 8, y2: bottom, stroke: '#d5dae1' }),
      tag('text', { x: x.toFixed(1), y: bottom + 18, 'text-anchor': 'middle', fill: '#6b7280' }, label),
    ];
  });
}

/** One mode's name and its two bars, from `y` down. */
function barsOf({ label, figures: { p1 } }: ResultLine, y: number, axis: Axis): string[] {
  const bar = (of: 'idle' | 'flood', top: number): string[] => {
    const { p99, waiting } = p1[of];
    const w = Math.max(1, position(p99, axis));
    const figure = `${waiting > 0 ? '≥ ' : ''}${duration(p99)}${p99 < 1_000 ? ' ms' : ''}`;
    return [
      tag('rect', { x: axis.left, y: top, width: w.toFixed(1), height: BAR, fill: COLOURS[of] }),
      tag('text', { x: (axis.left + w + 6).toFixed(1), y: top + 12, fill: '#374151' }, figure),
    ];
  };
  const name = tag('text', { x: axis.left - 10, y: y + 20, 'text-anchor': 'end', fill: '#374151' }, label);
  return [name, ...bar('idle', y), ...bar('flood', y + BAR + 2)];
}

const legendOf = (left: number): string[] =>
  (['idle', 'flood'] as const).flatMap((of, i) => [
    tag('rect', { x: left + i * 110, y: 32, width: 12, height: 12, fill: COLOURS[of] }),
    tag('text', { x: left + i * 110 + 18, y: 42, fill: '#374151' }, of === 'idle' ? 'idle' : 'under flood'),
  ]);

/** P1's p99 of each run, idle and under flood, as bars on a logarithmic axis. */
export function svg(lines: readonly ResultLine[], title: string): string {
  const left = Math.max(LEAST_LEFT, ...lines.map(({ label }) => Math.ceil(label.length * LETTER) + 20));
  const p99s = lines.flatMap(({ figures: { p1 } }) => [p1.idle.p99, p1.flood.p99]);
  const axis = { ...decades(p99s), left };
  const bottom = TOP + lines.length * ROW;
  const [width, height] = [left + PLOT + RIGHT, bottom + 36];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12">`,
    tag('rect', { width, height, fill: '#ffffff' }),
    tag('text', { x: left, y: 20, 'font-size': 14, fill: '#111827' }, title),
    ...legendOf(left),
    ...gridOf(axis, bottom),
    ...lines.flatMap((line, row) => barsOf(line, TOP + row * ROW, axis)),
    '</svg>',
    '',
  ].join('\n');
}
