import type { Address, Content, Provider } from '@commservice/contracts';
import { HttpProvider, type HttpProviderOptions, type Rendered } from '@commservice/provider-http';
import { MESSENGER_CODES } from './codes.js';

/** `{service, id}` and `{text}`, sent as plain text: no markup of a service is interpreted. */
function render(address: Address, content: Content): Rendered {
  if (!('service' in address) || address.id === '') return { kind: 'unfit', code: 'unfit_address' };
  if (!('text' in content) || 'subject' in content || content.text === '')
    return { kind: 'unfit', code: 'unfit_content' };
  const { service, id } = address;
  return { kind: 'rendered', to: { service, id }, content: { text: content.text } };
}

/** A provider of messenger messages for one account and class. `start` rejects on options that cannot work. */
export function createMessengerProvider(options: HttpProviderOptions): Provider {
  return new HttpProvider({ channel: 'messenger', codes: MESSENGER_CODES, render }, options);
}
