const FIELD = Buffer.from('"team":"');
const QUOTE = 0x22;
/** The id and a reference at most come before it. */
const WITHIN_BYTES = 1_024;

/**
 * The team of a record's JSON value without decoding it; '' when there is none. Only turns depend on it. A text that a
 * client chose cannot pass for the field: its quotes are escaped.
 */
export function teamOf(value: Buffer | null): string {
  if (!value) return '';
  const at = value.subarray(0, WITHIN_BYTES).indexOf(FIELD);
  if (at < 0) return '';
  const from = at + FIELD.length;
  const to = value.indexOf(QUOTE, from);
  return to < 0 ? '' : value.toString('latin1', from, to);
}
