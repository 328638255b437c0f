/** What a magic recipient does to a call that nothing else has decided. */
export const MAGIC = {
  '0422': 'refuse-message',
  '0403': 'refuse-recipient',
  '0429': 'throttle-twice',
  '0500': 'fail',
  '0501': 'fail-once',
  '0408': 'hang',
  '0409': 'accept-unanswered',
  '0201': 'late-receipt',
  '0202': 'duplicate-receipt',
  '0404': 'undelivered',
} as const;
export type MagicEffect = (typeof MAGIC)[keyof typeof MAGIC];

/** A late receipt comes this much after an ordinary one. */
export const LATE_RECEIPT_MS = 5_000;

const effectOf = (digits: string | undefined): MagicEffect | undefined =>
  digits !== undefined && digits in MAGIC ? MAGIC[digits as keyof typeof MAGIC] : undefined;

const PATTERNS = {
  /** sms `+7 900 555 dddd`, messenger ids that end alike. */
  number: /900555(\d{4})$/,
  /** push: any platform's token, also one of hexadecimal digits only. */
  token: /deadbeef(\d{4})$/,
  email: /^magic-(\d{4})@/,
} as const;

/** The effect of a recipient `{phone} | {platform, token} | {email} | {service, id}`, or undefined for ordinary ones. */
export function magicOf(to: unknown): MagicEffect | undefined {
  if (typeof to !== 'object' || to === null) return undefined;
  const { phone, token, email, id } = to as Record<string, unknown>;
  const text = (value: unknown, pattern: RegExp) =>
    typeof value === 'string' ? effectOf(pattern.exec(value)?.[1]) : undefined;
  return (
    text(phone, PATTERNS.number) ??
    text(token, PATTERNS.token) ??
    text(email, PATTERNS.email) ??
    text(id, PATTERNS.number)
  );
}
