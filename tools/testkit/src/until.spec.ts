import { until } from './until.js';

describe('until', () => {
  it('resolves with the first value that is not a "not yet"', async () => {
    const answers = [undefined, null, false, 0];
    expect(await until(() => answers.shift(), { everyMs: 1, describe: 'a value' })).toBe(0);
  });

  it('fails with a sentence that tells what it waited for', async () => {
    const waiting = until(() => false, { deadlineMs: 5, everyMs: 1, describe: 'the 3rd receipt' });
    await expect(waiting).rejects.toThrow(/^waited 0\.0 s: the 3rd receipt$/);
  });

  it('gives up before the deadline when nothing moves any more', async () => {
    const waiting = until(() => false, {
      deadlineMs: 60_000,
      stallMs: 5,
      everyMs: 1,
      describe: () => '1 of 2',
    });
    await expect(waiting).rejects.toThrow(/^nothing moved for .*: 1 of 2$/);
  });

  it('takes a throw as "not yet" and quotes it at the end', async () => {
    const fails = (): never => {
      throw new Error('no such row');
    };
    await expect(until(fails, { deadlineMs: 5, everyMs: 1, describe: 'the row' })).rejects.toThrow(
      /the row \(last error: no such row\)$/,
    );
  });
});
