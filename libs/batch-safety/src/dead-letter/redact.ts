/** Longest error text of a dead letter, in bytes of UTF-8. */
export const MAX_MESSAGE_BYTES = 1024;

const UUID = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i;
const RULES: readonly [RegExp, string][] = [
  [/[^\s"'<>(),;:=]+@[^\s"'<>(),;:]+/g, '[email]'],
  [
    /\b((?:(?:bearer|basic|token|secret|password|apikey|api[-_]key|authorization)\b(?:\s*[:=]\s*|\s+))+)\S+/gi,
    '$1[secret]',
  ],
  [/\+\d[\d\s().-]{4,}\d/g, '[phone]'],
  // Long runs of letters and digits with both in them: tokens, keys, hashes, push registrations.
  [/(?=[\w+/=.:-]*\d)(?=[\w+/=.:-]*[a-z])[\w+/=.:-]{20,}/gi, '[token]'],
  // Phones without a plus, and codes. A number with a unit is a measure and stays.
  [/(?<![\w.])\d(?:[\d\s().-]{1,20}\d)?\d(?!\s?(?:ms|s|bytes|KiB|MiB|parts|units)\b)(?![\w])/g, '[number]'],
];

/** JSON.parse quotes what it could not read: everything from the first quote to the last goes. */
function withoutJsonFragment(text: string): string {
  if (!/not valid JSON|in JSON at|JSON input/i.test(text)) return text;
  return text.replace(/(["'`]).*["'`]/s, '[fragment]');
}

function redactPart(text: string): string {
  return RULES.reduce((t, [pattern, label]) => t.replace(pattern, label), text);
}

/** The longest prefix of `text` of at most `maxBytes` of UTF-8, never splitting a character. */
export function cutUtf8(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString('utf8');
}

/**
 * An error text that is safe to keep: e-mail addresses, phone numbers, codes, secrets, tokens and quoted payloads become
 * labels; UUIDs (our ids) stay. At most 1 KiB. A net below the rule that no such thing is put into a text at all.
 */
export function redact(text: string): string {
  // Bounded before the patterns run; the last word may be a torn address and goes too.
  const bounded = text.length > 4096 ? text.slice(0, 4096).replace(/\S*$/, '') : text;
  const plain = withoutJsonFragment(bounded.replace(/\p{Cc}+/gu, ' '));
  const safe = plain
    .split(UUID)
    .map((part, i) => (i % 2 === 1 ? part : redactPart(part)))
    .join('');
  return cutUtf8(safe, MAX_MESSAGE_BYTES);
}
