import {
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
} from 'libphonenumber-js/max';
import type { FaultCode } from './faults.js';

const MAX_PHONE_CHARS = 20;

/** Types that cannot take a text, or that make a third party rich for every text they take. */
const REFUSED_TYPES: ReadonlySet<string> = new Set([
  'PREMIUM_RATE',
  'TOLL_FREE',
  'SHARED_COST',
  'FIXED_LINE',
  'PAGER',
  'UAN',
  'VOICEMAIL',
]);

export type PhoneResult = { kind: 'phone'; e164: string } | { kind: 'fault'; code: FaultCode };

const refuse = (code: FaultCode): PhoneResult => ({ kind: 'fault', code });

/** The calling codes of countries (ISO 3166 alpha-2); a country without one is left out. */
export function callingCodes(countries: readonly string[]): ReadonlySet<string> {
  return new Set(countries.filter((c) => isSupportedCountry(c)).map((c) => getCountryCallingCode(c)));
}

function lengthFault(text: string): FaultCode {
  switch (validatePhoneNumberLength(text)) {
    case 'TOO_SHORT':
      return 'phone_too_short';
    case 'TOO_LONG':
      return 'phone_too_long';
    case 'INVALID_COUNTRY':
      return 'phone_country_not_allowed';
    default:
      return 'phone_impossible';
  }
}

/**
 * Reads one international number. It must be possible for its country (metadata of new ranges lags, so it need not be
 * known as valid), of an allowed calling code, and of no refused type where the metadata knows the type.
 * @param allowed calling codes; absent = any
 */
export function readPhone(text: string, allowed?: ReadonlySet<string>): PhoneResult {
  if (text.length > MAX_PHONE_CHARS) return refuse('phone_too_long');
  if (!/^\+?[0-9 ().-]+$/.test(text)) return refuse('phone_format');
  if (!text.startsWith('+')) return refuse('phone_not_international');
  const parsed = parsePhoneNumberFromString(text, { extract: false });
  if (parsed === undefined || !parsed.isPossible()) return refuse(lengthFault(text));
  if (allowed !== undefined && !allowed.has(parsed.countryCallingCode))
    return refuse('phone_country_not_allowed');
  const type = parsed.getType();
  if (type !== undefined && REFUSED_TYPES.has(type)) return refuse('phone_type_refused');
  return { kind: 'phone', e164: parsed.number };
}
