import { z } from 'zod';
import { MESSENGER_SERVICES, PUSH_PLATFORMS } from '../content.js';

/** Limits of what a request may carry, as the API enforces and documents them. */
export const TEXT_LIMIT = {
  /** Six parts of GSM-7; other alphabets hold less and are refused by part count. */
  smsChars: 918,
  messengerChars: 4096,
  pushTitleChars: 256,
  pushBodyChars: 2048,
  emailSubjectChars: 255,
  emailBodyChars: 100_000,
} as const;

/** Line breaks and tabs are text; any other control character is not. */
// eslint-disable-next-line no-control-regex -- the rule is about control characters
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
/** For values that become a header or a single line. */
// eslint-disable-next-line no-control-regex -- the rule is about control characters
const LINE_CONTROL = /[\u0000-\u001f\u007f\u0085\u2028\u2029]/;
/** Invisible marks that turn the reading order: a name that carries them can forge what stands beside it. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const ruled = (code: string, ok: (s: string) => boolean) => ({
  check: ok,
  options: { params: { code }, message: code },
});
const noControls = ruled('control_character', (s) => !CONTROL.test(s));
const oneLine = ruled('control_character', (s) => !LINE_CONTROL.test(s));
const noBidi = ruled('bidi_character', (s) => !BIDI.test(s));
const notBlank = ruled('empty', (s) => s.trim().length > 0);

const text = (maxChars: number) =>
  z
    .string()
    .min(1)
    .max(maxChars)
    .refine(notBlank.check, notBlank.options)
    .refine(noControls.check, noControls.options);
const line = (maxChars: number) =>
  z
    .string()
    .min(1)
    .max(maxChars)
    .refine(notBlank.check, notBlank.options)
    .refine(oneLine.check, oneLine.options);

/** Where a message goes, by channel, as a client writes it. */
export const RECIPIENT_SCHEMAS = {
  sms: z.strictObject({
    phone: z
      .string()
      .min(1)
      .max(20)
      .describe('International form, `+` and digits, for example +447700900123'),
  }),
  push: z.strictObject({
    platform: z.enum(PUSH_PLATFORMS),
    token: z
      .string()
      .min(1)
      .max(4096)
      .describe('The device token as the platform gave it; webpush: the endpoint URL'),
  }),
  email: z.strictObject({
    email: z
      .string()
      .min(1)
      .max(254)
      .describe('One plain address: no display name, comment, quotes or IP literal'),
    name: line(128).refine(noBidi.check, noBidi.options).optional().describe('Display name'),
  }),
  messenger: z.strictObject({
    service: z.enum(MESSENGER_SERVICES),
    id: z
      .string()
      .min(1)
      .max(64)
      .describe("The recipient's id in that service; whatsapp and viber: a phone number or a user id"),
  }),
} as const;

const data = z
  .record(z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/), z.string().max(1024))
  .refine((d) => Object.keys(d).length <= 32, {
    params: { code: 'too_many_entries' },
    message: 'too_many_entries',
  });

/** What a message says, by channel, as a client writes it. */
export const CONTENT_SCHEMAS = {
  sms: z.strictObject({
    text: text(TEXT_LIMIT.smsChars).describe('At most 6 parts: 918 GSM-7 or 402 UCS-2 characters'),
  }),
  push: z.strictObject({
    title: text(TEXT_LIMIT.pushTitleChars),
    body: text(TEXT_LIMIT.pushBodyChars),
    data: data.optional().describe('Passed to the app; title, body and data together at most 4 000 bytes'),
  }),
  email: z.strictObject({
    subject: line(TEXT_LIMIT.emailSubjectChars),
    text: text(TEXT_LIMIT.emailBodyChars),
    html: text(TEXT_LIMIT.emailBodyChars).optional(),
  }),
  messenger: z.strictObject({ text: text(TEXT_LIMIT.messengerChars) }),
} as const;
