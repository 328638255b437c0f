const GSM7_BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Characters of the extension table: an escape and a second septet. */
const GSM7_EXTENSION = new Set('\f^{}\\[~]|€');

/** Most parts of one text. */
export const MAX_SMS_PARTS = 6;

export interface SmsParts {
  readonly encoding: 'gsm7' | 'ucs2';
  readonly parts: number;
}

function septetsOf(char: string): 0 | 1 | 2 {
  if (GSM7_BASIC.has(char)) return 1;
  return GSM7_EXTENSION.has(char) ? 2 : 0;
}

/** Parts of `perPart` units when a character is never split between two of them. */
function partsOf(sizes: readonly number[], total: number, single: number, perPart: number): number {
  if (total <= single) return 1;
  let parts = 1;
  let filled = 0;
  for (const size of sizes) {
    if (filled + size > perPart) {
      parts += 1;
      filled = 0;
    }
    filled += size;
  }
  return parts;
}

/**
 * How a text goes over the air: GSM-7 (160 septets, or 153 a part) when every character is in its tables, else UCS-2
 * (70 units, or 67 a part). Neither an escape pair nor a surrogate pair is split.
 */
export function smsParts(text: string): SmsParts {
  const septets: number[] = [];
  const units: number[] = [];
  let gsm7 = true;
  let septetTotal = 0;
  for (const char of text) {
    const n = septetsOf(char);
    if (n === 0) gsm7 = false;
    septets.push(n);
    septetTotal += n;
    units.push(char.length);
  }
  return gsm7
    ? { encoding: 'gsm7', parts: partsOf(septets, septetTotal, 160, 153) }
    : { encoding: 'ucs2', parts: partsOf(units, text.length, 70, 67) };
}
