import type { FieldError } from '@commservice/contracts';

/** Most faults that one answer lists: enough for any honest request, little for a hostile one. */
export const MAX_FAULTS = 100;

/** Every code a request can be refused with, and the sentence that explains it. Sentences never carry values. */
export const FAULT_DETAILS = {
  body_not_object: 'The body must be a JSON object',
  unknown_field: 'This field does not exist here',
  duplicate_field: 'This field is there more than once',
  required: 'This field is required',
  wrong_type: 'The value has the wrong type',
  invalid_value: 'The value is not one of those allowed',
  invalid_format: 'The value does not have the form this field asks for',
  invalid_name:
    'A name starts with a letter and has at most 64 letters, digits, dots, dashes and underscores',
  empty: 'The value must not be empty',
  too_short: 'The value is too short',
  too_long: 'The value is too long',
  too_small: 'The number is too small',
  too_large: 'The number is too large',
  too_many_entries: 'There are too many entries',
  too_deep: 'The body is nested too deeply',
  too_complex: 'The body has too many values',
  not_well_formed: 'The text has half of a surrogate pair',
  control_character: 'Control characters are not allowed here',
  bidi_character: 'Marks that change the reading order are not allowed here',
  unknown_channel: 'The channel is one of sms, push, email, messenger',
  unknown_platform: 'The platform is one of fcm, apns, hms, rustore, webpush',
  unknown_service: 'The service is one of telegram, whatsapp, viber, vk, max',
  unknown_brand: 'The catalogue has no such brand',
  forbidden_brand: 'Your team may not use this brand',
  unknown_category: 'The catalogue has no such category',
  forbidden_category: 'Your team may not use this category',
  forbidden_key: 'Only a live key may send; this key may only read',
  channel_not_allowed: 'The category may not use this channel',
  p1_single_only: 'P1 is single-message only: send it by POST /v1/messages',
  ttl_invalid: 'ttl is a positive ISO 8601 duration such as PT3M',
  ttl_too_short: 'ttl must be at least PT1S',
  ttl_too_long: 'ttl must be at most PT72H',
  phone_format: 'A phone number is + and digits, nothing else',
  phone_not_international: 'A phone number starts with + and a country code',
  phone_too_short: 'The phone number has too few digits for its country',
  phone_too_long: 'The phone number has too many digits for its country',
  phone_impossible: 'The country has no phone numbers like this',
  phone_country_not_allowed: 'Numbers of this country are not served',
  phone_type_refused: 'A number of this type cannot take text messages, or costs its caller extra',
  email_invalid: 'This is not one plain e-mail address',
  email_domain_invalid: 'The domain of the address is not a valid one',
  push_token_invalid: 'The token does not have the form of its platform',
  webpush_endpoint_invalid: 'The endpoint is not an https address of a known push service',
  messenger_id_invalid: 'The id does not have the form of its service',
  sms_too_many_parts: 'The text needs more than 6 parts',
  units_exceed_rate: 'The message needs more units than its account may send in a second',
  push_payload_too_large: 'title, body and data together exceed 4 000 bytes',
  content_too_large: 'The message exceeds 256 KiB when it is stored',
  idempotency_mismatch: 'This idempotency key was used with another body',
} as const;
export type FaultCode = keyof typeof FAULT_DETAILS;

/** A fault that says who may not, rather than what is wrong: answered 403 when there are no others. */
export const FORBIDDEN_CODES: ReadonlySet<string> = new Set<FaultCode>([
  'forbidden_brand',
  'forbidden_category',
  'forbidden_key',
]);

/** One fault at `pointer`. */
export const fault = (pointer: string, code: FaultCode): FieldError => ({
  pointer,
  code,
  detail: FAULT_DETAILS[code],
});

/** Letters and digits of a name, without anything that could be a phone number or an address. */
const TELLABLE = /^(?!.*\d{7})[A-Za-z_$][A-Za-z0-9_.$-]{0,63}$/;

/**
 * `pointer` plus one step. A key that does not look like a field's name may be a value in the wrong place: it is not
 * repeated, and the pointer stays at its parent.
 */
export function pointerTo(parent: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${parent}/${key}`;
  const text = String(key);
  return TELLABLE.test(text) || /^\d{1,4}$/.test(text) ? `${parent}/${text}` : parent;
}
