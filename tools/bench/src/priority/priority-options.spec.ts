import { MODES } from './mode.js';
import { readPriorityOptions } from './priority-options.js';

describe('readPriorityOptions', () => {
  it('runs all modes at R = 200 with a tenth of it P1 when nothing is said', () => {
    const { modes, p1PerSecond, p2PerSecond, backlog } = readPriorityOptions([]);
    expect(modes).toEqual(MODES);
    expect([p1PerSecond, p2PerSecond, backlog]).toEqual([20, 5, 20_000]);
  });

  it('takes P1 as a share of the rate that was given', () => {
    const options = readPriorityOptions(['--rate', '50', '--p1-percent', '50', '--modes', 'fifo, noop']);
    expect([options.ratePerSecond, options.p1PerSecond]).toEqual([50, 25]);
    expect(options.modes).toEqual(['fifo', 'noop']);
  });

  it('makes the backlog as long as a fast channel needs', () => {
    expect(readPriorityOptions(['--rate', '2000']).backlog).toBe(50_000);
  });

  it.each([
    [['--modes', 'fastest'], /"fastest"/],
    [['--rate', '-5'], /--rate/],
    [['--seconds', 'ten'], /--seconds/],
    [['--pods', '3'], /--pods/],
    [['--layout', 'two'], /--layout/],
    [['--layout', 'own', '--pods', '1', '--modes', 'contention'], /--pods/],
    [['--layout', 'own', '--modes', 'contention,fifo'], /"fifo"/],
    [['--burst', 'many'], /--burst/],
    [['--burst', '1000', '--backlog', '6399'], /at least 6400/],
    [['--seconds', '60', '--backlog', '11999'], /at least 12000/],
    [['--colour', 'red'], /--colour/],
  ])('refuses %j and names the flag', (args, message) => {
    expect(() => readPriorityOptions(args)).toThrow(message);
  });
});
