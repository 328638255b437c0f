/** GSM 03.38 basic alphabet: one septet each. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡' +
  'ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** Extension table: an escape and a septet, two in all, never split over two parts. */
const EXTENDED = '^{}\\[]~|€\f';

const SEPTETS = new Map<string, number>([
  ...[...BASIC].map((c): [string, number] => [c, 1]),
  ...[...EXTENDED].map((c): [string, number] => [c, 2]),
]);

/** Parts of a text whose characters cost `costs`, when a character is never split. */
function packed(costs: readonly number[], single: number, concatenated: number): number {
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  if (total <= single) return 1;
  let parts = 1;
  let room = concatenated;
  for (const cost of costs) {
    if (cost > room) {
      parts += 1;
      room = concatenated;
    }
    room -= cost;
  }
  return parts;
}

/**
 * How many SMS parts a text takes: GSM-7 (160, else 153 septets a part) or UCS-2 (70, else 67 UTF-16 units a part), with
 * an 8-bit reference. An empty text is one part. This is the vendor's own count; the platform's must agree with it.
 */
export function smsParts(text: string): number {
  const septets: number[] = [];
  for (const char of text) {
    const cost = SEPTETS.get(char);
    if (cost === undefined) {
      return packed(
        Array.from(text, (c) => c.length),
        70,
        67,
      );
    }
    septets.push(cost);
  }
  return packed(septets, 160, 153);
}
