import fc from 'fast-check';
import { MAX_RETRY_AFTER_MS, retryAfterMs } from './retry-after.js';

const NOW = Date.parse('2026-12-01T12:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['2', 2_000],
    ['0', 0],
    ['0.25', 250],
    [' 1.5 ', 1_500],
    ['86400', MAX_RETRY_AFTER_MS],
    ['Tue, 01 Dec 2026 12:00:05 GMT', 5_000],
    ['Tue, 01 Dec 2026 11:00:00 GMT', 0],
    ['Wed, 02 Dec 2026 12:00:00 GMT', MAX_RETRY_AFTER_MS],
  ])('reads %s', (value, expected) => {
    expect(retryAfterMs(value, NOW)).toBe(expected);
  });

  it.each([
    [undefined],
    [''],
    ['-1'],
    ['NaN'],
    ['Infinity'],
    ['1e3'],
    ['soon'],
    ['2026'.repeat(9)],
    ['Mon, nonsense'],
  ])('ignores %s', (value) => {
    expect(retryAfterMs(value, NOW)).toBeUndefined();
  });

  it('never asks for more than the cap or less than nothing, whatever it reads', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const ms = retryAfterMs(value, NOW);
        expect(ms === undefined || (ms >= 0 && ms <= MAX_RETRY_AFTER_MS)).toBe(true);
      }),
    );
  });
});
