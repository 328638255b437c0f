import { domainToASCII } from 'node:url';
import isEmail from 'validator/lib/isEmail.js';
import type { FaultCode } from './faults.js';

export type EmailResult = { kind: 'email'; email: string } | { kind: 'fault'; code: FaultCode };

const refuse = (code: FaultCode): EmailResult => ({ kind: 'fault', code });

/**
 * Reads one plain address. Quotes and `%` are legal in e-mail but have been used to route mail elsewhere, so they are
 * refused along with comments, lists, display names, line breaks and IP literals. The domain comes out as punycode, lower
 * case: two spellings of one domain are one recipient.
 */
export function readEmail(text: string): EmailResult {
  // eslint-disable-next-line no-control-regex -- the rule is about control characters
  if (/[\u0000-\u0020\u007f"%<>()[\]\\,;:]/.test(text)) return refuse('email_invalid');
  const at = text.lastIndexOf('@');
  if (at < 1) return refuse('email_invalid');
  const domain = domainToASCII(text.slice(at + 1));
  if (domain === '' || /[/?#]/.test(text.slice(at))) return refuse('email_domain_invalid');
  const email = `${text.slice(0, at)}@${domain}`;
  const plain = isEmail(email, {
    allow_utf8_local_part: false,
    allow_ip_domain: false,
    allow_display_name: false,
    require_tld: true,
  });
  return plain ? { kind: 'email', email } : refuse('email_invalid');
}
