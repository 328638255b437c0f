import type { Address, Content, Provider } from '@commservice/contracts';
import { HttpProvider, type HttpProviderOptions, type Rendered } from '@commservice/provider-http';
import { SMS_CODES } from './codes.js';

/** `{phone}` in E.164 and `{text}`; parts are counted before, in `units`. */
function render(address: Address, content: Content): Rendered {
  if (!('phone' in address) || !/^\+[1-9]\d{6,14}$/.test(address.phone))
    return { kind: 'unfit', code: 'unfit_address' };
  if (!('text' in content) || 'subject' in content || content.text === '')
    return { kind: 'unfit', code: 'unfit_content' };
  return { kind: 'rendered', to: { phone: address.phone }, content: { text: content.text } };
}

/** A provider of SMS for one account and class. `start` rejects on options that cannot work. */
export function createSmsProvider(options: HttpProviderOptions): Provider {
  return new HttpProvider({ channel: 'sms', codes: SMS_CODES, render }, options);
}
