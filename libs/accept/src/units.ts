import type { Account, Channel, Content, FieldError } from '@commservice/contracts';
import { fault } from './faults.js';
import { MAX_SMS_PARTS, smsParts, type SmsParts } from './sms-parts.js';

/** FCM and APNs take 4 KiB; the rest is room for their own fields. */
const PUSH_PAYLOAD_MAX_BYTES = 4000;

export interface Measured {
  /** Billing units of one send in the account's unit. */
  readonly units: number;
  /** Set for sms. */
  readonly parts?: SmsParts;
  readonly faults: FieldError[];
}

/** Whether one message of so many units can ever leave in one second of the account's rate. */
const exceedsRate = (units: number, account: Account): boolean =>
  units > Math.max(1, Math.floor(account.ratePerSecond));

/** What one send costs, and whether it fits the channel and the account. */
export function measure(channel: Channel, content: Content, account: Account | undefined): Measured {
  if (channel === 'push' && Buffer.byteLength(JSON.stringify(content)) > PUSH_PAYLOAD_MAX_BYTES) {
    return { units: 1, faults: [fault('/content', 'push_payload_too_large')] };
  }
  if (channel !== 'sms' || !('text' in content)) return { units: 1, faults: [] };
  const parts = smsParts(content.text);
  const units = account?.unit === 'part' ? parts.parts : 1;
  const faults: FieldError[] = [];
  if (parts.parts > MAX_SMS_PARTS) faults.push(fault('/content/text', 'sms_too_many_parts'));
  else if (account !== undefined && exceedsRate(units, account))
    faults.push(fault('/content/text', 'units_exceed_rate'));
  return { units, parts, faults };
}
