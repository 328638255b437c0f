import type { MESSENGER_SERVICES } from '@commservice/contracts';
import type { FaultCode } from './faults.js';
import { readPhone } from './phone.js';

type Service = (typeof MESSENGER_SERVICES)[number];

export type MessengerIdResult = { kind: 'id'; id: string } | { kind: 'fault'; code: FaultCode };

/** Ids that are no phone numbers, by service. */
const FORMS: Record<Service, RegExp | undefined> = {
  telegram: /^(?:-?[1-9]\d{0,18}|@[A-Za-z][A-Za-z0-9_]{4,31})$/,
  vk: /^-?[1-9]\d{0,14}$/,
  max: /^-?[1-9]\d{0,18}$/,
  viber: /^[A-Za-z0-9+/]{22}==$/,
  whatsapp: undefined,
};
const BY_PHONE: ReadonlySet<Service> = new Set(['whatsapp', 'viber']);

/** Reads a recipient's id; a phone number comes out in E.164. */
export function readMessengerId(service: Service, id: string): MessengerIdResult {
  if (FORMS[service]?.test(id)) return { kind: 'id', id };
  if (!BY_PHONE.has(service)) return { kind: 'fault', code: 'messenger_id_invalid' };
  const phone = readPhone(id);
  return phone.kind === 'phone'
    ? { kind: 'id', id: phone.e164 }
    : { kind: 'fault', code: 'messenger_id_invalid' };
}
