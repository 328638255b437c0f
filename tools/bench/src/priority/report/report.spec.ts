import type { ModeFigures } from '../figures/mode-figures.js';
import type { Mode } from '../mode.js';
import { readPriorityPlan } from '../priority-plan.js';
import { checksOf } from './checks.js';
import { markdown } from './markdown.js';
import type { ResultLine } from './result-line.js';
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
  busiest: { ofR: 1, atS: 3, lagMs: 2 },
  press: { afterMs: 25, n: 3, p99: 40, max: 60 },
  longestP3GapMs: 120,
  worstP3: { windowMs: 20_000, share: 0.85 },
  throttled: 0,
  neverCalled: 0,
  doubled: 0,
  cost: {
    cpuMsPerMessage: 2.5,
    redis: { scriptsPerMessage: 0.1, commandsPerMessage: 1.2, commands: { evalsha: 10 } },
    providerLag: { p99: 1, max: 3 },
  },
  ...more,
});
const plan = readPriorityPlan([]);
const { options } = plan;
const line = (mode: Mode, f: ModeFigures): ResultLine => ({ label: mode, mode, options, figures: f });
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
    ['a second above the contract', figures(20, 40, { busiest: { ofR: 1.03, atS: 3, lagMs: 2 } })],
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

  const ours = figures(20, 40, {
    cost: {
      ...figures(20, 40).cost,
      coordinator: { perMessage: 0.087, leases: 80, publishes: 7, otherScriptsPerMessage: 0.5 },
      loop: { p99: 2, max: 11 },
    },
  });
  const text = markdown([line('contention', ours), line('fifo', fifo)], [], plan, where);
  const linesOf = (page: string, label: string): string[] =>
    page.split('\n').filter((l) => l.startsWith(`| ${label}`));

  it('has a line a mode in each table and marks what is only a lower bound', () => {
    expect(linesOf(text, 'contention')).toHaveLength(3);
    expect(linesOf(text, 'fifo')[0]).toContain('≥ 29 s');
    expect(linesOf(text, 'fifo')[0]).toContain('≥ 5800');
    expect(text).not.toContain('Checks');
  });

  it("shows the coordinator's calls of ours, and none of a peer", () => {
    expect(linesOf(text, 'contention')[2]).toContain('0.087');
    expect(linesOf(text, 'fifo')[2]).toMatch(/2\.50 +\| - /);
  });

  it('has a table of bursts only where there was one', () => {
    expect(text).not.toContain('Burst');
    const burst = {
      latency: latency(900),
      lastCallMs: 5_100,
      leastMs: 5_000,
      lowerAfterPress: 2,
      lastLowerMs: 9,
    };
    const page = markdown([line('contention', figures(20, 40, { burst }))], [], plan, where);
    expect(linesOf(page, 'contention')).toHaveLength(4);
    expect(page).toContain('Burst');
  });

  it('names the flag of a sweep', () => {
    const sweep = readPriorityPlan(['--sweep', 'pods']);
    const lines = sweep.runs.map((run) => ({ ...run, figures: figures(20, 40) }));
    const page = markdown(lines, [], sweep, where);
    expect(page).toContain('by pods');
    expect(linesOf(page, 'contention, pods 4')).toHaveLength(3);
  });
});

describe('svg', () => {
  it('draws both bars of each mode, ten times as long a wait one decade further', () => {
    const drawn = svg([line('contention', figures(10, 100)), line('fifo', figures(10, 10_000))], 'P1 p99');
    const widths = [...drawn.matchAll(/<rect x="110" y="\d+" width="([\d.]+)" height="15"/g)].map((m) =>
      Number(m[1]),
    );
    expect(widths).toHaveLength(4);
    expect((widths[3] as number) - (widths[1] as number)).toBeCloseTo(((widths[1] as number) - 0) * 2, 0);
  });

  it('makes room for long labels', () => {
    const long = { ...line('contention', figures(10, 100)), label: 'contention, latency-ms 200' };
    expect(Number(/width="(\d+)"/.exec(svg([long], 'P1 p99'))?.[1])).toBeGreaterThan(840);
  });

  it('keeps every bar inside the plot', () => {
    expect([0, 1e9, NaN].map((ms) => position(ms, { low: 0, high: 2 }))).toEqual([0, 620, 0]);
  });
});
