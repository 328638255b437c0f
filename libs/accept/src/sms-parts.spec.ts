import fc from 'fast-check';
import { smsParts } from './sms-parts.js';

describe('SMS parts', () => {
  it.each([
    ['a'.repeat(160), 'gsm7', 1],
    ['a'.repeat(161), 'gsm7', 2],
    ['a'.repeat(306), 'gsm7', 2],
    ['a'.repeat(307), 'gsm7', 3],
    ['a'.repeat(918), 'gsm7', 6],
    ['a'.repeat(919), 'gsm7', 7],
    ['€'.repeat(80), 'gsm7', 1],
    ['€'.repeat(81), 'gsm7', 2],
    ['ы'.repeat(70), 'ucs2', 1],
    ['ы'.repeat(71), 'ucs2', 2],
    ['ы'.repeat(134), 'ucs2', 2],
    ['ы'.repeat(135), 'ucs2', 3],
    ['😀'.repeat(35), 'ucs2', 1],
    ['😀'.repeat(36), 'ucs2', 2],
    ['A text that needs three parts. '.repeat(12), 'gsm7', 3],
    ['Ç', 'gsm7', 1],
    ['ç', 'ucs2', 1],
    ['a`b', 'ucs2', 1],
  ])('counts %#', (text, encoding, parts) => {
    expect(smsParts(text)).toEqual({ encoding, parts });
  });

  it('never splits an escape pair: an odd one is carried to the next part', () => {
    expect(smsParts('a'.repeat(152) + '€' + 'a'.repeat(152))).toEqual({ encoding: 'gsm7', parts: 3 });
  });

  it('never splits a surrogate pair', () => {
    expect(smsParts('ы'.repeat(66) + '😀' + 'ы'.repeat(66))).toEqual({ encoding: 'ucs2', parts: 3 });
  });

  it('never needs fewer parts for a longer text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 400 }),
        fc.string({ maxLength: 20 }),
        (text, more) => {
          expect(smsParts(text + more).parts).toBeGreaterThanOrEqual(smsParts(text).parts);
        },
      ),
    );
  });
});
