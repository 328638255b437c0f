// PostgreSQL takes neither NUL nor half of a surrogate pair; one such text must not stop the batch it came in.
const clean = (text: string): string => text.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '\uFFFD');

/** JSON that PostgreSQL can read whatever the texts hold; bigint as decimal text. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_key, v: unknown) => {
    if (typeof v === 'string') return clean(v);
    if (typeof v === 'bigint') return v.toString();
    if (v && typeof v === 'object' && !Array.isArray(v)) {
      return Object.fromEntries(Object.entries(v).map(([k, inner]) => [clean(k), inner as unknown]));
    }
    return v;
  });
}
