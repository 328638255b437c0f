import type { Address, Catalogue, Channel, FieldError } from '@commservice/contracts';
import { readEmail } from './email.js';
import { fault } from './faults.js';
import { readMessengerId } from './messenger-id.js';
import { callingCodes, readPhone } from './phone.js';
import { pushTokenFault } from './push-token.js';

export type AddressResult =
  /** `identity` names the recipient within its channel: equal for all spellings of one recipient. */
  { kind: 'address'; address: Address; identity: string } | { kind: 'fault'; fault: FieldError };

/** A catalogue never changes once loaded; its successor is another object. */
const allowedCodes = new WeakMap<Catalogue, ReadonlySet<string>>();

function smsCodes(catalogue: Catalogue): ReadonlySet<string> {
  const known = allowedCodes.get(catalogue);
  if (known) return known;
  const codes = callingCodes(catalogue.channels.sms.countries);
  allowedCodes.set(catalogue, codes);
  return codes;
}

/** Checks and normalises where a message goes. `to` has passed the schema of `channel`. */
export function readAddress(channel: Channel, to: Address, catalogue: Catalogue): AddressResult {
  if (channel === 'sms' && 'phone' in to) {
    const phone = readPhone(to.phone, smsCodes(catalogue));
    if (phone.kind === 'fault') return { kind: 'fault', fault: fault('/to/phone', phone.code) };
    return { kind: 'address', address: { phone: phone.e164 }, identity: phone.e164 };
  }
  if (channel === 'email' && 'email' in to) {
    const email = readEmail(to.email);
    if (email.kind === 'fault') return { kind: 'fault', fault: fault('/to/email', email.code) };
    return { kind: 'address', address: { ...to, email: email.email }, identity: email.email.toLowerCase() };
  }
  if (channel === 'push' && 'token' in to) {
    const code = pushTokenFault(to.platform, to.token);
    if (code !== undefined) return { kind: 'fault', fault: fault('/to/token', code) };
    return { kind: 'address', address: to, identity: `${to.platform}:${to.token}` };
  }
  if (channel === 'messenger' && 'service' in to) {
    const id = readMessengerId(to.service, to.id);
    if (id.kind === 'fault') return { kind: 'fault', fault: fault('/to/id', id.code) };
    return {
      kind: 'address',
      address: { service: to.service, id: id.id },
      identity: `${to.service}:${id.id}`,
    };
  }
  return { kind: 'fault', fault: fault('/to', 'invalid_value') };
}
