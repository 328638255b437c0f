import type { Address, Content, Provider } from '@commservice/contracts';
import { HttpProvider, type HttpProviderOptions, type Rendered } from '@commservice/provider-http';
import { EMAIL_CODES } from './codes.js';

/** Control characters: in a header of a mail they begin another header or recipient. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/;
/** One bare mailbox: no display name, list, comment, quotes or source route. */
const MAILBOX = /^[^\s@<>(),;:"[\]\\%]+@[^\s@<>(),;:"[\]\\%]+$/;

/** `{email, name?}` and `{subject, text, html?}`; the last guard against header and address injection. */
function render(address: Address, content: Content): Rendered {
  if (!('email' in address) || !MAILBOX.test(address.email) || CONTROL.test(address.email)) {
    return { kind: 'unfit', code: 'unfit_address' };
  }
  if (!('subject' in content)) return { kind: 'unfit', code: 'unfit_content' };
  const { email, name } = address;
  const { subject, text, html } = content;
  if (CONTROL.test(subject) || CONTROL.test(name ?? '')) return { kind: 'unfit', code: 'unfit_header' };
  return {
    kind: 'rendered',
    to: name === undefined ? { email } : { email, name },
    content: html === undefined ? { subject, text } : { subject, text, html },
  };
}

/** A provider of e-mail for one account and class. `start` rejects on options that cannot work. */
export function createEmailProvider(options: HttpProviderOptions): Provider {
  return new HttpProvider({ channel: 'email', codes: EMAIL_CODES, render }, options);
}
