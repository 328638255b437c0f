import type { ModeFigures } from '../figures/mode-figures.js';
import { readPriorityOptions } from '../priority-options.js';
import { checksOf } from './checks.js';
import { markdown } from './markdown.js';
import { position, svg } from './svg.js';

const latency = (p99: number, waiting = 0): ModeFigures['p1']['idle'] => ({
  n: 400,
  waiting,
  p50: p99 / 2,
  p95: p99,
  p99,
  max: p99,
  ...(waiting > 0 ? { atLeastFromMs: 0 } : {}),
});
const figures = (idle: number, flood: number, more: Partial<ModeFigures> = {}): ModeFigures => ({
  p1: { idle: latency(idle), flood: latency(flood) },
  p2: { idle: latency(idle), flood: latency(flood) },
  p99Ratio: flood / idle,
  utilisation: 0.97,
  slidingSecond: 1,
  slidingSecondAtS: 3,
  slidingSecondLagMs: 2,
  press: { afterMs: 25, n: 3, p99: 40, max: 60 },
  longestP3GapMs: 120,
  throttled: 0,
  neverCalled: 0,
  doubled: 0,
  cpuMsPerMessage: 2.5,
  redis: { scriptsPerMessage: 0.1, commandsPerMessage: 1.2, commands: { evalsha: 10 } },
  ...more,
});
const options = readPriorityOptions([]);
const failed = (f: ModeFigures): number => checksOf(f, options).filter((check) => !check.ok).length;

describe('checksOf', () => {
  it('holds for a fast P1 on a channel that is used', () => {
    expect(failed(figures(20, 40))).toBe(0);
    expect(failed(figures(20, 40, { press: { afterMs: 25, n: 0, p99: NaN, max: NaN } }))).toBe(0);
  });

  it.each([
    ['P1 slower than its bound', figures(20, 46)],
    ['lower classes that go on', figures(20, 40, { press: { afterMs: 25, n: 3, p99: 201, max: 300 } })],
    ['an unused channel', figures(20, 40, { utilisation: 0.94 })],
    ['a second above the contract', figures(20, 40, { slidingSecond: 1.03 })],
    ['a refused call', figures(20, 40, { throttled: 1 })],
    ['a lost message', figures(20, 40, { neverCalled: 1 })],
    ['a doubled message', figures(20, 40, { doubled: 1 })],
  ])('fails for %s', (_, f) => {
    expect(failed(f)).toBe(1);
  });
});

describe('markdown', () => {
  const where = { date: 'd', cpu: 'c', cores: 2, memoryGiB: 8, os: 'o', node: 'v24' };
  const fifo = figures(5, 29_000, { p1: { idle: latency(5), flood: latency(29_000, 7) } });

  it('has two lines a mode and marks what is only a lower bound', () => {
    const text = markdown([['contention', figures(20, 40)], ['fifo', fifo]], [], options, where); // prettier-ignore
    expect(text.split('\n').filter((line) => line.startsWith('| contention'))).toHaveLength(2);
    const [latencies] = text.split('\n').filter((line) => line.startsWith('| fifo'));
    expect(latencies).toContain('≥ 29 s');
    expect(latencies).toContain('≥ 5800');
    expect(text).not.toContain('Checks');
  });
});

describe('svg', () => {
  it('draws both bars of each mode, ten times as long a wait one decade further', () => {
    const drawn = svg([['contention', figures(10, 100)], ['fifo', figures(10, 10_000)]], 'P1 p99'); // prettier-ignore
    const widths = [...drawn.matchAll(/<rect x="110" y="\d+" width="([\d.]+)" height="15"/g)].map((m) =>
      Number(m[1]),
    );
    expect(widths).toHaveLength(4);
    expect((widths[3] as number) - (widths[1] as number)).toBeCloseTo(((widths[1] as number) - 0) * 2, 0);
  });

  it('keeps every bar inside the plot', () => {
    expect([0, 1e9, NaN].map((ms) => position(ms, { low: 0, high: 2 }))).toEqual([0, 620, 0]);
  });
});
