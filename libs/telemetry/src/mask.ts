const EMAIL = /[^\s@<>"'(),:;=/]+@[^\s@<>"'(),:;=/]+\.[^\s@<>"'(),:;=/]+/g;
/** An IPv4 address: kept, because "connection refused" is useless without it. */
const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1?\d?\d)`;
const IPV4 = String.raw`(?!${OCTET}(?:\.${OCTET}){3}(?![\d.]))`;
/**
 * A phone number as people and vendors write it: 7 to 18 digits, with a plus sign or without, with blanks, dots,
 * dashes, slashes or brackets between. Dates, offsets and epoch times of that many digits are masked too: better one
 * useless number in a log than one real phone number.
 */
const PHONE = new RegExp(
  String.raw`(?<![A-Za-z0-9.-])${IPV4}\+?(?:\(\d{1,5}\)|\d)(?:[ .()/-]{0,2}\d){6,17}(?![A-Za-z0-9])`,
  'g',
);

/** Replaces what looks like an e-mail address or a phone number. For texts written by others, such as error messages. */
export function maskAddresses(text: string): string {
  return text.replace(EMAIL, '[email]').replace(PHONE, '[number]');
}
