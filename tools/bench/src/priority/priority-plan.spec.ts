import { MODES } from './mode.js';
import { readPriorityPlan } from './priority-plan.js';

describe('readPriorityPlan', () => {
  it('runs every mode on one workload when nothing is said', () => {
    const { name, sweep, runs } = readPriorityPlan([]);
    expect([name, sweep]).toEqual(['priority', undefined]);
    expect(runs.map((run) => run.label)).toEqual(MODES);
    expect(new Set(runs.map((run) => run.options)).size).toBe(1);
  });

  it("sweeps one flag for contention, with the flag's own values", () => {
    const { name, runs } = readPriorityPlan(['--sweep', 'rate']);
    expect(name).toBe('priority-rate');
    expect(runs.map((run) => run.options.ratePerSecond)).toEqual([5, 50, 200, 2_000]);
    expect(runs[0]?.label).toBe('contention, rate 5');
  });

  it('takes values and modes that are given, value by value', () => {
    const { runs } = readPriorityPlan(['--sweep', 'pods', '--values', '1, 4', '--modes', 'contention,fifo']);
    expect(runs.map((run) => [run.mode, run.options.pods])).toEqual([
      ['contention', 1],
      ['fifo', 1],
      ['contention', 4],
      ['fifo', 4],
    ]);
  });

  it.each([
    [['--sweep', 'colour'], /"colour"/],
    [['--values', '1,2'], /--values/],
    [['--name', '../x'], /--name/],
    [['--sweep', 'pods', '--values', '3'], /--pods/],
  ])('refuses %j', (args, message) => {
    expect(() => readPriorityPlan(args)).toThrow(message);
  });
});
