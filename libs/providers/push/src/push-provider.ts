import type { Address, Content, Provider } from '@commservice/contracts';
import { HttpProvider, type HttpProviderOptions, type Rendered } from '@commservice/provider-http';
import { PUSH_CODES } from './codes.js';

/** `{platform, token}` and `{title, body, data?}`. */
function render(address: Address, content: Content): Rendered {
  if (!('token' in address) || address.token === '') return { kind: 'unfit', code: 'unfit_address' };
  if (!('title' in content)) return { kind: 'unfit', code: 'unfit_content' };
  const { title, body, data } = content;
  const { platform, token } = address;
  return {
    kind: 'rendered',
    to: { platform, token },
    content: data ? { title, body, data } : { title, body },
  };
}

/** A provider of push notifications for one account and class. `start` rejects on options that cannot work. */
export function createPushProvider(options: HttpProviderOptions): Provider {
  return new HttpProvider({ channel: 'push', codes: PUSH_CODES, render }, options);
}
