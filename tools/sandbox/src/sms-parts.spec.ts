import fc from 'fast-check';
import { smsParts } from './sms-parts.js';

describe('SMS parts', () => {
  it.each([
    ['nothing', '', 1],
    ['160 septets', 'a'.repeat(160), 1],
    ['161 septets', 'a'.repeat(161), 2],
    ['306 septets', 'a'.repeat(306), 2],
    ['307 septets', 'a'.repeat(307), 3],
    ['80 extended characters', '€'.repeat(80), 1],
    ['81 extended characters', '€'.repeat(81), 2],
    ['an escape pair that would straddle two parts', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
    ['70 units of UCS-2', 'ж'.repeat(70), 1],
    ['71 units of UCS-2', 'ж'.repeat(71), 2],
    ['134 units of UCS-2', 'ж'.repeat(134), 2],
    ['a surrogate pair that would straddle two parts', `${'ж'.repeat(66)}😀${'ж'.repeat(66)}`, 3],
    ['an apostrophe outside GSM-7', `${'a'.repeat(70)}’`, 2],
    ['Ç, which is GSM', 'Ç'.repeat(160), 1],
    ['ç, which is not', 'ç'.repeat(71), 2],
    ['a line break in GSM-7', `${'a'.repeat(159)}\n`, 1],
  ])('%s', (_name, text, parts) => {
    expect(smsParts(text)).toBe(parts);
  });

  it('grow with the text and hold at most 153 septets each', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'é', '€', '\n', '{'), { maxLength: 900 }), (chars) => {
        const septets = chars.reduce((sum, c) => sum + ('€{'.includes(c) ? 2 : 1), 0);
        const parts = smsParts(chars.join(''));
        expect(parts * 153 >= septets || septets <= 160).toBe(true);
        expect(parts).toBeLessThanOrEqual(Math.ceil(septets / 152) + 1);
        expect(smsParts(`${chars.join('')}a`)).toBeGreaterThanOrEqual(parts);
      }),
    );
  });
});
